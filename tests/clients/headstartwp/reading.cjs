// Reads posts, pages, lists and terms by the strategies with which a front end maps its addresses to requests.
const {
  AuthorArchiveFetchStrategy, PostOrPostsFetchStrategy, PostsArchiveFetchStrategy, SearchFetchStrategy,
  SinglePostFetchStrategy, TaxonomyTermsStrategy, getPostAuthor, getPostTerms, setHeadstartWPConfig,
} = require('@headstartwp/core');

const { SITE_HOME: home } = process.env;
setHeadstartWPConfig({ sourceUrl: home, useWordPressPlugin: false });

async function visit(Strategy, path, given = {}) {
  const strategy = new Strategy(home);
  const params = { ...strategy.getDefaultParams(), ...strategy.getParamsFromURL(path, given), ...given };
  try {
    return await strategy.fetcher(strategy.buildEndpointURL(params), params, {});
  } catch (error) {
    return { thrown: error.name };
  }
}

async function one(...visited) {
  const { result, thrown } = await visit(SinglePostFetchStrategy, ...visited);
  if (thrown) return { thrown };
  const [author] = getPostAuthor(result);
  const terms = Object.entries(getPostTerms(result)).map(([taxonomy, found]) => [taxonomy, found.map((term) => term.slug)]);
  return { id: result.id, slug: result.slug, type: result.type, author: author.slug, terms: Object.fromEntries(terms) };
}

async function list(Strategy, ...visited) {
  const { result, pageInfo, queriedObject, thrown } = await visit(Strategy, ...visited);
  if (thrown) return { thrown };
  const about = queriedObject.term ?? queriedObject.author;
  return { slugs: result.map((item) => item.slug), about: about?.slug ?? null, ...pageInfo };
}

async function main() {
  const [first] = (await visit(PostsArchiveFetchStrategy, '/')).result;
  return {
    post: await one('/template-sticky'),
    postById: { ...(await one('/', { id: first.id })), wanted: first.slug },
    page: await one('/about', { postType: ['post', 'page'] }),
    childPage: await one('/level-1/level-2/level-3', { postType: 'page' }),
    wrongPath: await one('/level-2/level-3', { postType: 'page' }),
    missing: await one('/nothing-here'),
    archive: await list(PostsArchiveFetchStrategy, '/'),
    second: await list(PostsArchiveFetchStrategy, '/page/2'),
    beyond: await list(PostsArchiveFetchStrategy, '/page/99'),
    ordered: await list(PostsArchiveFetchStrategy, '/', { per_page: 3, orderby: 'title', order: 'asc' }),
    pages: await list(PostsArchiveFetchStrategy, '/', { postType: 'page' }),
    category: await list(PostsArchiveFetchStrategy, '/category/markup'),
    tag: await list(PostsArchiveFetchStrategy, '/tag/template/page/2'),
    author: await list(AuthorArchiveFetchStrategy, '/themereviewteam'),
    unknownAuthor: await list(AuthorArchiveFetchStrategy, '/nobody'),
    search: await list(SearchFetchStrategy, '/sticky'),
    terms: await list(TaxonomyTermsStrategy, '/', { taxonomy: 'category', per_page: 100 }),
    term: await list(TaxonomyTermsStrategy, '/', { taxonomy: 'category', slug: 'markup' }),
    either: (await visit(PostOrPostsFetchStrategy, '/', { single: { postType: 'post' }, archive: {}, priority: 'archive' })).result?.isArchive,
  };
}

main().then((outcome) => console.log(JSON.stringify(outcome)));
