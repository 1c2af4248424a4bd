// Uploads a form with a file in it, through the middleware that watches over uploads, and deletes the item.
import { readFile } from 'node:fs/promises';

import { apiFetch, home, recorded, thrown } from './connect.mjs';

const { FILES: files } = process.env;
const plainly = { path: '/cms/v2/media', method: 'POST' };
const watched = { url: `${home}/wp-json/wp/v2/media`, method: 'POST' }; // the middleware knows this address alone

apiFetch.use(apiFetch.mediaUploadMiddleware);

function form(data, name, fields = {}) {
  const body = new FormData();
  body.append('file', new File([data], name));
  for (const [field, value] of Object.entries(fields)) body.append(field, value);
  return body;
}

const data = await readFile(`${files}/boat.webp`);
const plain = await recorded({ ...plainly, body: form(data, 'Лодка ⛵.webp', { title: 'Лодка', alt_text: 'A boat' }) });
const seen = await recorded({ ...watched, body: form(data, 'boat "two".webp') });
const refused = await thrown({ ...watched, body: form('<html>no</html>', 'page.html') });
const refusedUnparsed = await thrown({ ...watched, body: form('<html>no</html>', 'page.html'), parse: false });
const item = `/cms/v2/media/${plain.answer.id}`;
const updated = await apiFetch({ path: item, method: 'POST', data: { caption: 'Under way' } });
const deleted = await apiFetch({ path: `${item}?force=true`, method: 'DELETE' });
const gone = await thrown({ path: item });
const file = await fetch(seen.answer.source_url);
const left = (await apiFetch({ path: '/cms/v2/media?per_page=-1&after=2020-01-01T00:00:00' })).map((item) => item.id);

console.log(JSON.stringify({
  plain, seen, refused, refusedUnparsed, updated, deleted, gone, left,
  fileIsWhole: Buffer.from(await file.arrayBuffer()).equals(data),
}));
