// Uses the routes that the client brings along, without asking the site for its own, as a visitor and signed in.
import WPAPI from 'wpapi';

import { home, password, print, refusal, username } from './connect.mjs';

const endpoint = `${home}/wp-json`;
const visitor = new WPAPI({ endpoint });
const editor = new WPAPI({ endpoint, username, password });
const ids = (items) => items.map((item) => item.id);
const slugs = (items) => items.map((item) => item.slug);

async function read() {
  const [sticky] = await visitor.posts().slug('template-sticky').embed();
  const [markup] = await visitor.categories().slug('markup');
  const posts = await visitor.posts().perPage(5).page(2).orderby('title').order('asc');
  return {
    posts: { ids: ids(posts), total: posts._paging.total, pages: posts._paging.totalPages },
    embedded: sticky._embedded.author[0].slug,
    ofCategory: slugs(await visitor.posts().categories(markup.id).param('_fields', 'slug')),
    found: slugs(await visitor.posts().search('sticky')),
    pages: (await visitor.pages().perPage(100)).length,
    page: (await visitor.pages().slug('about'))[0].type,
    media: (await visitor.media().perPage(2)).map((item) => item.media_type),
    tags: (await visitor.tags().post(sticky.id)).map((tag) => tag.name),
    comments: (await visitor.comments().perPage(3)).length,
    users: slugs(await visitor.users()),
    types: Object.keys(await visitor.types()),
    statuses: Object.keys(await visitor.statuses()),
    taxonomies: Object.keys(await visitor.taxonomies()),
    taxonomy: (await visitor.taxonomies().taxonomy('category')).rest_base,
    before: ids(await visitor.posts().before(new Date('2010-01-01')).param('per_page', 100)).length,
    me: (await editor.users().me()).slug,
    settings: (await editor.settings()).timezone,
    revisions: await refusal(visitor.posts().id(sticky.id).revisions()),
  };
}

async function write() {
  const post = await editor.posts().create({ title: 'Default', content: 'Text', status: 'publish' });
  const changed = await editor.posts().id(post.id).update({ title: 'Changed' });
  const tag = await editor.tags().create({ name: 'Fresh' });
  const comment = await editor.comments().create({ post: post.id, content: 'Good' });
  const revisions = await editor.posts().id(post.id).revisions();
  const trashed = await editor.posts().id(post.id).delete();
  const gone = await refusal(visitor.posts().id(post.id).get());
  return {
    post: changed.title.raw, tag: tag.slug, comment: comment.post === post.id, revisions: revisions.length,
    trashed: trashed.status, gone, refused: await refusal(visitor.posts().create({ title: 'No' })),
  };
}

print({ read: await read(), written: await write() });
