// Reads entities of every kind as the editor does.
const { known, read, run } = require('./connect.cjs');

const ids = (records) => records.map((record) => record.id);
const slugs = (records) => records.map((record) => record.slug);
const few = { per_page: 3 };
let post;

run({
  posts: async () => {
    const posts = await read.getEntityRecords('postType', 'post', few);
    post = posts[0].id;
    return ids(posts);
  },
  totals: () => ['getEntityRecordsTotalItems', 'getEntityRecordsTotalPages'].map((name) => known[name]('postType', 'post', few)),
  allPosts: async () => ids(await read.getEntityRecords('postType', 'post', { per_page: -1 })),
  post: async () => (await read.getEntityRecord('postType', 'post', post)).title,
  raw: async () => (await read.getRawEntityRecord('postType', 'post', post)).title,
  bySlug: async () => slugs(await read.getEntityRecords('postType', 'post', { slug: 'template-sticky' })),
  found: async () => slugs(await read.getEntityRecords('postType', 'post', { search: 'sticky', status: 'publish,draft' })),
  missing: () => read.getEntityRecord('postType', 'post', 999999),
  pages: async () => (await read.getEntityRecords('postType', 'page', { per_page: 100 })).length,
  childPage: async () => (await read.getEntityRecords('postType', 'page', { slug: 'level-3' }))[0].link,
  media: async () => (await read.getEntityRecords('postType', 'attachment', few)).map((item) => item.media_type),
  categories: async () => (await read.getEntityRecords('taxonomy', 'category', { per_page: -1 })).length,
  tags: async () => (await read.getEntityRecords('taxonomy', 'post_tag', { per_page: -1 })).length,
  types: async () => slugs(await read.getPostTypes({ per_page: -1 })),
  taxonomies: async () => slugs(await read.getTaxonomies({ per_page: -1 })),
  statuses: async () => slugs(await read.getEntityRecords('root', 'status')),
  comments: async () => (await read.getEntityRecords('root', 'comment', few)).length,
  users: async () => slugs(await read.getUsers({ per_page: 100 })),
  me: async () => (await read.getCurrentUser()).slug,
  base: async () => Object.keys(await read.getEntityRecord('root', '__unstableBase')),
  settings: async () => (await read.getEntityRecord('root', 'site')).timezone,
  mayCreate: () => read.canUser('create', { kind: 'postType', name: 'post' }),
  mayDelete: () => read.canUser('delete', { kind: 'postType', name: 'post', id: post }),
});
