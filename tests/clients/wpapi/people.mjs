// Writes, changes and deletes terms and accounts, reads the own account, and writes the settings of the site.
import { connect, password, print, refusal, signIn, username } from './connect.mjs';

const { cms } = await signIn();
const { cms: visitor } = await connect();

async function writeTerms(terms, more = {}) {
  const created = await terms().create({ name: 'Küste & Meer', description: 'By the sea', ...more });
  const again = await refusal(terms().create({ name: 'Küste & Meer', ...more }));
  const nameless = await refusal(terms().create({ description: 'No name' }));
  const updated = await terms().id(created.id).update({ name: 'Sea', slug: 'sea' });
  const found = await terms().slug('sea').get();
  const kept = await refusal(terms().id(created.id).delete());
  const deleted = await terms().id(created.id).delete({ force: true });
  return { created, again, nameless, updated, found, kept, deleted, gone: await refusal(terms().id(created.id).get()) };
}

async function writeAccounts() {
  const secret = 'correct horse battery';
  const fields = { username: 'maria', email: 'maria@example.org', password: secret, name: 'María', roles: ['author'] };
  const created = await cms.users().create(fields);
  const again = await refusal(cms.users().create(fields));
  const { cms: own } = await connect({ username: 'maria', password: secret });
  const me = await own.users().me().edit().get();
  const updated = await cms.users().id(created.id).update({ description: 'Writes about boats' });
  const post = await own.posts().create({ title: 'By María', status: 'publish' });
  const listed = await visitor.users().get();
  const beyond = await refusal(own.users().create({ username: 'x', email: 'x@example.org', password: 'long enough it is' }));
  const deleted = await cms.users().id(created.id).delete({ force: true, reassign: 1 });
  const reassigned = await cms.posts().id(post.id).get();
  const refused = await refusal(own.users().me().get());
  const gone = await refusal(cms.users().id(created.id).get());
  return { created, again, me, updated, listed, beyond, deleted, reassigned, refused, gone };
}

async function readOwn() {
  const { cms: stranger } = await connect({ username, password: `${password}!` });
  const changed = await cms.users().me().update({ nickname: 'Boss' });
  return { me: await cms.users().me().get(), changed, wrong: await refusal(stranger.users().me().get()) };
}

async function writeSettings() {
  const before = await cms.settings().get();
  const written = await cms.settings().update({ title: 'A client’s site', posts_per_page: 7 });
  const after = await cms.settings().get();
  const invalid = await refusal(cms.settings().update({ start_of_week: 'Tuesday' }));
  return { before, written, after, invalid, hidden: await refusal(visitor.settings().get()) };
}

const parent = await cms.categories().create({ name: 'Coasts' });

print({
  category: await writeTerms(() => cms.categories(), { parent: parent.id }), parent,
  tag: await writeTerms(() => cms.tags()),
  accounts: await writeAccounts(), own: await readOwn(), settings: await writeSettings(),
});
