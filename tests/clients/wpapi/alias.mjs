// Finds the API under the addresses of WordPress, whose routes the client has without a namespace, and reads and writes.
import WPAPI from 'wpapi';

import { home, password, print, refusal, username } from './connect.mjs';

const site = await WPAPI.discover(home);

async function walk(page) {
  const ids = page.map((post) => post.id);
  return page._paging.next ? [...ids, ...(await walk(await page._paging.next.get()))] : ids;
}

const ids = await walk(await site.posts().perPage(20).get());
const signedIn = () => site.posts().auth({ username, password });
const created = await signedIn().create({ title: 'By another address', status: 'publish' });
const updated = await signedIn().id(created.id).update({ title: 'Changed' });
const read = await site.posts().id(created.id).embed().get();
const deleted = await signedIn().id(created.id).delete({ force: true });
const gone = await refusal(site.posts().id(created.id).get());

print({ root: site._options.endpoint, ids, created, updated, read, deleted, gone });
