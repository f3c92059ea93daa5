import { describe, expect, it } from 'vitest';
import { graphqlOperation, addGraphqlCheck } from './graphql.ts';

const of = (query: string) => graphqlOperation({ path: '/api', json: { query } });

describe('graphqlOperation', () => {
  it('reads the query in JSON', () => {
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

  it('treats any request to a /graphql endpoint as GraphQL', () => {
    expect(graphqlOperation({ path: '/v1/graphql', body: '{{body}}' })).toBe('query');
    expect(graphqlOperation({ path: '/graphql?query=%7Ba%7D' })).toBe('query');
  });

  it('ignores a search parameter called query', () => {
    expect(of('red shoes')).toBeNull();
    expect(graphqlOperation({ path: '/search', json: { query: { match: 'a' } } })).toBeNull();
    expect(graphqlOperation({ path: '/graphqlish', body: 'query=1' })).toBeNull();
  });
});

it('addGraphqlCheck: checks for errors unless the step has its own checks', () => {
  const step = { name: 'tasks', method: 'POST' as const, path: '/graphql', json: { query: '{ tasks { id } }' } };
  expect(addGraphqlCheck(step).checks).toEqual([{ kind: 'json', path: '$.errors[0]', not: true }]);
  const checked = { ...step, checks: [{ kind: 'contains' as const, text: 'id' }] };
  expect(addGraphqlCheck(checked)).toBe(checked);
  expect(addGraphqlCheck({ name: 'page', path: '/' })).toEqual({ name: 'page', path: '/' });
});
