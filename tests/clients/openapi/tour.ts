// A tour with openapi-fetch through the types that openapi-typescript makes of a site's document.
import { readFile } from 'node:fs/promises';

import createClient from 'openapi-fetch';

import type { components, paths } from './schema';

type Post = components['schemas']['Post'];

const { SITE_HOME: home = '', SITE_LOGIN: login = '', SITE_PASSWORD: password = '', FILES: files = '' } = process.env;
const Authorization = `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`;
const cms = createClient<paths>({ baseUrl: `${home}/api`, headers: { Authorization } });
const visitor = createClient<paths>({ baseUrl: `${home}/api` });

function there<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Error(`there is no ${what}`);
  return value;
}

async function list() {
  const { data, response } = await visitor.GET('/cms/v2/posts', { params: { query: { per_page: 2, orderby: 'id' } } });
  const titles: string[] = [];
  for (const post of there(data, 'list')) {
    if ('content' in post) titles.push(post.title.rendered + typeof post.content.rendered);
  }
  const first: Post | undefined = data?.find((post): post is Post => 'content' in post);
  return { titles, count: Number(response.headers.get('X-WP-Total')), link: there(first, 'post').link };
}

async function walk() {
  const ids: number[] = [];
  let cursor: string | null = '*';
  while (cursor !== null) {
    const query: { per_page: number; cursor: string } = { per_page: 5, cursor };
    const { data, response } = await visitor.GET('/cms/v2/posts', { params: { query } });
    for (const post of there(data, 'page')) if ('id' in post) ids.push(post.id);
    cursor = response.headers.get('X-CMS-Cursor');
  }
  return { items: ids.length, different: new Set(ids).size };
}

async function write() {
  const made = await cms.POST('/cms/v2/posts', { body: { title: 'Tour', content: { raw: 'a' }, status: 'publish' } });
  const { id, content } = there(made.data, 'post');
  const path = { id };
  const read = await cms.GET('/cms/v2/posts/{id}', { params: { path, query: { context: 'edit' } } });
  const etag = there(read.response.headers.get('ETag') ?? undefined, 'ETag');
  const header = { 'If-Match': etag };
  const changed = await cms.PATCH('/cms/v2/posts/{id}', { params: { path, header }, body: { title: 'Changed' } });
  const late = await cms.PATCH('/cms/v2/posts/{id}', { params: { path, header }, body: { title: 'Late' } });
  const gone = await cms.DELETE('/cms/v2/posts/{id}', { params: { path, query: { force: true } } });
  const deleted = gone.data && 'deleted' in gone.data ? gone.data.previous.title.raw : '';
  return {
    status: made.response.status, raw: content.raw, title: there(changed.data, 'change').title.raw,
    late: [late.response.status, late.error?.code], deleted,
  };
}

async function upload() {
  const bytes = new Blob([await readFile(`${files}/harbour.png`)], { type: 'image/png' });
  const made = await cms.POST('/cms/v2/media', {
    body: { file: '', alt_text: 'Harbour' },
    bodySerializer: (body) => {
      const form = new FormData();
      form.set('file', bytes, 'harbour.png');
      if (typeof body !== 'string' && body.alt_text) form.set('alt_text', body.alt_text);
      return form;
    },
  });
  const item = there(made.data, 'file');
  const post: number | null = item.post;
  return { alt: item.alt_text, kind: item.media_type, post, width: item.media_details.width };
}

async function refusals() {
  const hidden = await visitor.GET('/cms/v2/settings');
  const absent = await visitor.GET('/cms/v2/posts/{id}', { params: { path: { id: 999999 } } });
  const wrong = await visitor.GET('/cms/v2/posts', { params: { query: { per_page: 1000 } } });
  const faults = wrong.error?.data.params;
  return {
    hidden: [hidden.response.status, hidden.error?.code], absent: absent.error?.data.status,
    wrong: faults && !Array.isArray(faults) ? Object.keys(faults) : [],
  };
}

// What doesn't compile: each line must be an error, or the compiler complains that it isn't.
export async function wrong() {
  // @ts-expect-error a status that there isn't
  await cms.POST('/cms/v2/posts', { body: { status: 'nonsense' } });
  // @ts-expect-error an account needs a name, an address and a password
  await cms.POST('/cms/v2/users', { body: {} });
  // @ts-expect-error no such route
  await cms.GET('/cms/v2/nothing');
  // @ts-expect-error no such argument
  await cms.GET('/cms/v2/posts', { params: { query: { nonsense: 1 } } });
}

console.log(JSON.stringify({ list: await list(), walk: await walk(), write: await write(), upload: await upload(), refusals: await refusals() }));
