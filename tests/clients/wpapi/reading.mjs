// Reads as a visitor: discovery, pages of lists in both directions, filters, what is declared, refusals.
import WPAPI from 'wpapi';

import { connect, home, print, refusal } from './connect.mjs';

const { cms, root } = await connect();

async function walk(page, direction) {
  const ids = page.map((post) => post.id);
  const step = page._paging[direction];
  if (!step) return { ids, pages: 1 };
  const rest = await walk(await step.get(), direction);
  return { ids: [...ids, ...rest.ids], pages: rest.pages + 1, last: rest.last ?? rest.ids };
}

async function readPaging() {
  const first = await cms.posts().perPage(10).get();
  const last = await cms.posts().perPage(10).page(first._paging.totalPages).get();
  const { total, totalPages } = first._paging;
  return {
    total, totalPages, forwards: await walk(first, 'next'), backwards: await walk(last, 'prev'),
    prevOfFirst: 'prev' in first._paging, nextOfLast: 'next' in last._paging,
    beyond: await refusal(cms.posts().perPage(10).page(totalPages + 1).get()),
    counts: await cms.posts().perPage(10).headers(),
  };
}

async function readFiltered() {
  const [category] = await cms.categories().orderby('count').order('desc').perPage(1).get();
  const [tag] = await cms.tags().orderby('count').order('desc').perPage(1).get();
  const [newest] = await cms.posts().perPage(1).get();
  const ids = async (request) => (await request.param('_fields', 'id').perPage(100).get()).map((item) => item.id);
  return {
    category, tag, newest,
    all: await ids(cms.posts()),
    inCategory: await ids(cms.posts().categories(category.id)),
    notInCategory: await ids(cms.posts().excludeCategories([category.id])),
    withTag: await ids(cms.posts().tags([tag.id])),
    since: await ids(cms.posts().after(newest.date)),
    until: await ids(cms.posts().before(newest.date)),
    bySlug: await ids(cms.posts().slug(newest.slug)),
    included: await ids(cms.posts().include([newest.id])),
    excluded: await ids(cms.posts().exclude([newest.id])),
    sticky: await ids(cms.posts().sticky(true)),
    found: await cms.posts().search('alignment').perPage(3).get(),
    foundElsewhere: await cms.posts().search('zzz-nothing').get(),
    titles: (await cms.pages().orderby('title').order('asc').perPage(100).get()).map((page) => page.title.rendered),
    ofAuthor: await ids(cms.posts().author(newest.author)),
  };
}

async function readDeclared() {
  return {
    types: await cms.types(),
    post: await cms.types().type('post'),
    taxonomies: await cms.taxonomies(),
    category: await cms.taxonomies().taxonomy('category'),
    statuses: await cms.statuses(),
  };
}

async function readRefusals() {
  return {
    unknown: await refusal(cms.posts().id(999999).get()),
    invalid: await refusal(cms.posts().perPage(101).get()),
    context: await refusal(cms.posts().context('edit').get()),
    anonymous: await refusal(cms.posts().create({ title: 'Nobody' })),
    settings: await refusal(cms.settings().get()),
    me: await refusal(cms.users().me().get()),
    nowhere: await refusal(new WPAPI({ endpoint: root }).root('cms/v2/nothing').get()),
  };
}

const inLanguage = await refusal(WPAPI.site(`${home}/id/api/`).root('cms/v2/posts/999999').get());

print({
  root, inLanguage,
  paging: await readPaging(), filtered: await readFiltered(), declared: await readDeclared(), refusals: await readRefusals(),
});
