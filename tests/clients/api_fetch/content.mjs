// Writes more posts than one page holds, reads them all, changes and deletes one by methods that a POST names, and errs.
import { apiFetch, home, recorded, thrown } from './connect.mjs';

const COUNT = 60;
const path = '/cms/v2/posts';

async function writeMany() {
  const titles = Array.from({ length: COUNT }, (_, number) => `Number ${number}`);
  const posts = [];
  while (titles.length) {
    const some = titles.splice(0, 10).map((title) => ({ title, status: 'publish', content: 'tally' }));
    posts.push(...(await Promise.all(some.map((data) => apiFetch({ path, method: 'POST', data })))));
  }
  return posts.map((post) => post.id);
}

const ids = (posts) => posts.map((post) => post.id);

async function readAll() {
  const { answer, sent } = await recorded({ path: `${path}?per_page=-1&orderby=id&order=asc&_fields=id` });
  const headers = await apiFetch({ path: `${path}?per_page=1`, method: 'GET', parse: false });
  return {
    ids: ids(answer), sent,
    headers: Object.fromEntries(headers.headers),
    found: ids(await apiFetch({ path: `${path}?per_page=-1&search=tally&context=edit&status=publish,draft` })),
    few: await recorded({ path: '/cms/v2/categories?per_page=-1&hide_empty=true' }),
    none: await recorded({ path: `${path}?per_page=-1&search=nowhere-to-be-found` }),
    unbounded: await thrown({ path: `${path}?per_page=-1`, parse: false }),
    byAddress: ids(await apiFetch({ url: `${home}/api${path}?per_page=-1&_fields=id` })).length,
  };
}

async function change(id) {
  const item = `${path}/${id}`;
  const put = await recorded({ path: item, method: 'PUT', data: { title: 'Put' } });
  const patched = await recorded({ path: item, method: 'PATCH', data: { title: 'Patched' } });
  const read = await recorded({ namespace: 'cms/v2', endpoint: `posts/${id}` });
  const trashed = await recorded({ path: item, method: 'DELETE' });
  const deleted = await recorded({ path: `${item}?force=true`, method: 'DELETE' });
  return { put, patched, read, trashed, deleted, gone: await thrown({ path: item }) };
}

async function askForRights(id) {
  const item = `${path}/${id}`;
  const allowed = async (options) => {
    const answer = await apiFetch({ method: 'OPTIONS', parse: false, ...options });
    return answer.headers.get('allow');
  };
  return {
    list: await allowed({ path }), visitorsList: await allowed({ path, anonymous: true }),
    item: await allowed({ path: item }), visitorsItem: await allowed({ path: item, anonymous: true }),
  };
}

async function err() {
  return {
    invalid: await thrown({ path, method: 'POST', data: { status: 'nonsense' } }),
    anonymous: await thrown({ path, method: 'POST', data: { title: 'Nobody' }, anonymous: true }),
    unparsed: await thrown({ path: `${path}/999999`, parse: false }),
    nowhere: await thrown({ path: '/cms/v2/nothing' }),
    broken: await thrown({ path, method: 'POST', body: '{"title": ', headers: { 'Content-Type': 'application/json' } }),
    inLanguage: await thrown({ url: `${home}/id/api${path}/999999` }),
  };
}

const before = (await apiFetch({ path: `${path}?per_page=-1&_fields=id` })).length;
const written = await writeMany();
const all = await readAll();
const rights = await askForRights(written[0]);
const changed = await change(written[0]);
const left = ids(await apiFetch({ path: `${path}?per_page=-1&_fields=id` }));

console.log(JSON.stringify({ before, written, all, rights, changed, left, errors: await err() }));
