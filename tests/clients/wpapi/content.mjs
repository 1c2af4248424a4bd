// Writes, changes and deletes posts and pages, with their terms, comments and revisions; then sees that they are gone.
import { connect, print, refusal, signIn } from './connect.mjs';

const { cms } = await signIn();
const { cms: visitor } = await connect();

async function writePost() {
  const category = await cms.categories().create({ name: 'Harbours & piers' });
  const tag = await cms.tags().create({ name: 'Boats', description: 'All that floats' });
  const created = await cms.posts().create({
    title: 'From a client', content: 'One.\n\nTwo.', excerpt: 'In short', status: 'publish', format: 'aside',
    categories: [category.id], tags: [tag.id],
  });
  const read = await visitor.posts().id(created.id).get();
  const embedded = await visitor.posts().id(created.id).embed().get();
  const updated = await cms.posts().id(created.id).update({ title: 'Changed “by” a client – ö' });
  const edited = await cms.posts().id(created.id).edit().get();
  return { category, tag, created, read, embedded, updated, edited };
}

async function keepRevisions(id) {
  const revisions = () => cms.posts().id(id).revisions();
  await cms.posts().id(id).update({ content: 'Three.' });
  const all = await revisions().get();
  const newest = await cms.posts().id(id).revisions(all[0].id).get();
  const deleted = await cms.posts().id(id).revisions(all[0].id).delete({ force: true });
  return {
    all, newest, deleted,
    left: await revisions().get(),
    gone: await refusal(cms.posts().id(id).revisions(all[0].id).get()),
    hidden: await refusal(visitor.posts().id(id).revisions().get()),
  };
}

async function discuss(post) {
  const comments = () => cms.comments().post(post).order('asc');
  const created = await cms.comments().create({ post, content: 'First!' });
  const reply = await cms.comments().create({ post, parent: created.id, content: 'Second.' });
  const updated = await cms.comments().id(created.id).update({ content: 'First & changed' });
  const listed = await visitor.comments().post(post).get();
  const embedded = await visitor.posts().id(post).embed().get();
  const held = await cms.comments().id(reply.id).update({ status: 'hold' });
  const seen = await visitor.comments().post(post).get();
  const deleted = await cms.comments().id(created.id).delete({ force: true });
  return {
    created, reply, updated, listed, held, seen, deleted, embedded,
    gone: await refusal(cms.comments().id(created.id).get()), left: await comments().status('hold').get(),
  };
}

async function removePost(id) {
  const trashed = await cms.posts().id(id).delete();
  const hidden = await refusal(visitor.posts().id(id).get());
  const twice = await refusal(cms.posts().id(id).delete());
  const restored = await cms.posts().id(id).update({ status: 'draft' });
  const deleted = await cms.posts().id(id).delete({ force: true });
  return { trashed, hidden, twice, restored, deleted, gone: await refusal(cms.posts().id(id).get()) };
}

async function writePages() {
  const parent = await cms.pages().create({ title: 'Parent', status: 'publish' });
  const child = await cms.pages().create({ title: 'Child', status: 'private', parent: parent.id, menu_order: 3 });
  const children = await cms.pages().parent(parent.id).status(['publish', 'private']).get();
  const visible = await visitor.pages().parent(parent.id).get();
  const updated = await cms.pages().id(child.id).update({ status: 'publish', slug: 'kid' });
  const deleted = await cms.pages().id(child.id).delete({ force: true });
  const gone = await refusal(cms.pages().id(child.id).get());
  return { parent, child, children, visible, updated, deleted, gone };
}

async function protect() {
  const fields = { title: 'Locked', content: 'Within', status: 'publish', password: 'open sesame' };
  const { id } = await cms.posts().create(fields);
  return {
    closed: await visitor.posts().id(id).get(),
    open: await visitor.posts().id(id).password('open sesame').get(),
    wrong: await refusal(visitor.posts().id(id).password('please').get()),
  };
}

const before = await visitor.posts().perPage(1).get();
const post = await writePost();
const revisions = await keepRevisions(post.created.id);
const comments = await discuss(post.created.id);
const removed = await removePost(post.created.id);
const after = await visitor.posts().perPage(1).get();
const invalid = await refusal(cms.posts().create({ status: 'nonsense', featured_media: 'none' }));

print({
  post, revisions, comments, removed, pages: await writePages(), protected: await protect(), invalid,
  totals: [before._paging.total, after._paging.total],
});
