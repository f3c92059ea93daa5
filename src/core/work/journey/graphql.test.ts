import { describe, expect, it } from 'vitest';
import { graphqlOperation, withGraphqlCheck } from './graphql.ts';

const of = (query: string) => graphqlOperation({ path: '/api', json: { query } });

describe('the GraphQL operation of a request', () => {
  it('is read from the query of its JSON', () => {
    expect([
      of('{ tasks { id } }'),
      of('query Tasks { tasks { id } }'),
      of('mutation { add }'),
      of('fragment A on T { id } query { t { ...A } }'),
    ]).toEqual(['query', 'query', 'mutation', 'query']);
    expect(of('# all of them\n  query { tasks }')).toBe('query');
    expect(graphqlOperation({ path: '/api', body: '{"query":"mutation { add }"}' })).toBe('mutation');
    expect(graphqlOperation({ path: '/api', json: [{ query: '{ a }' }, { query: 'mutation { b }' }] })).toBe('mutation');
  });

  it('is one at an endpoint of that name, whatever is sent there', () => {
    expect(graphqlOperation({ path: '/v1/graphql', body: '{{body}}' })).toBe('query');
    expect(graphqlOperation({ path: '/graphql?query=%7Ba%7D' })).toBe('query');
  });

  it('is none of a search that is called query too', () => {
    expect(of('red shoes')).toBeNull();
    expect(graphqlOperation({ path: '/search', json: { query: { match: 'a' } } })).toBeNull();
    expect(graphqlOperation({ path: '/graphqlish', body: 'query=1' })).toBeNull();
  });
});

it('a GraphQL request is checked for errors, unless it has checks of its own', () => {
  const step = { name: 'tasks', method: 'POST' as const, path: '/graphql', json: { query: '{ tasks { id } }' } };
  expect(withGraphqlCheck(step).checks).toEqual([{ kind: 'json', path: '$.errors[0]', not: true }]);
  const checked = { ...step, checks: [{ kind: 'contains' as const, text: 'id' }] };
  expect(withGraphqlCheck(checked)).toBe(checked);
  expect(withGraphqlCheck({ name: 'page', path: '/' })).toEqual({ name: 'page', path: '/' });
});
