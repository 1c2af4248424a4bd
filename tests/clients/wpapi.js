// Finds the API from the site's own address, reads all posts page by page, then writes, changes and deletes one.
'use strict';

const WPAPI = require('wpapi');

const { SITE_HOME: home, SITE_LOGIN: username, SITE_PASSWORD: password } = process.env;

async function readAll(cms) {
  const ids = [];
  let pages = 0;
  let page = await cms.posts().perPage(10).get();
  const { total, totalPages } = page._paging;
  for (;;) {
    pages += 1;
    ids.push(...page.map((post) => post.id));
    if (!page._paging.next) return { ids, pages, total: Number(total), totalPages: Number(totalPages) };
    page = await page._paging.next.get();
  }
}

async function refusal(promise) {
  try {
    await promise;
    return null;
  } catch (error) {
    return { code: error.code, status: error.data && error.data.status };
  }
}

async function main() {
  const site = await WPAPI.discover(home);
  const cms = site.namespace('cms/v2');
  const signedIn = () => cms.posts().auth({ username, password });

  const anonymous = await refusal(cms.posts().create({ title: 'Nobody' }));
  const all = await readAll(cms);
  const created = await signedIn().create({ title: 'From a client', content: 'One.\n\nTwo.', status: 'publish' });
  const read = await cms.posts().id(created.id).get();
  const updated = await signedIn().id(created.id).update({ title: 'Changed by a client' });
  const deleted = await signedIn().id(created.id).delete({ force: true });
  const gone = await refusal(cms.posts().id(created.id).get());
  const after = await readAll(cms);

  const root = site._options.endpoint;
  console.log(JSON.stringify({ root, anonymous, all, created, read, updated, deleted, gone, after }));
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
