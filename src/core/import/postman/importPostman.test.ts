import { describe, expect, it } from 'vitest';
import { POSTMAN } from '../testing/documents.ts';
import { readImported } from '../testing/imported.ts';

describe('importPostman', () => {
  const shop = () => readImported(JSON.stringify(POSTMAN));

  it('makes a journey with folders in the step names', () => {
    const { plan } = shop();
    expect(plan.targets[0]?.url).toBe('http://127.0.0.1:8080/');
    expect(plan.journey.map(({ name, method, path }) => [name, method, path])).toEqual([
      ['Account › Log in', 'POST', '/v1/login'],
      ['Items', 'GET', '/v1/items/7?size=20'],
      ['Upload', 'POST', '/v1/photos'],
      ['Form', 'PUT', '/v1/form'],
      ['Elsewhere', 'GET', '/x'],
      ['Graph', 'POST', '/v1/graphql'],
    ]);
  });

  it('keeps bodies, logins, captures and expectations of scripts', () => {
    const { plan, secrets } = shop();
    expect(plan.journey[0]).toMatchObject({
      body: '{"user": "ada", "password": "{{password}}"}',
      expectStatus: [200],
      captures: [{ from: 'json', as: 'token', path: '$.data.token' }],
    });
    expect(plan.journey[0]?.headers).toEqual({ 'Content-Type': 'application/json' });
    expect(plan.journey[1]?.headers).toEqual({ Authorization: 'Bearer {{token}}' });
    expect(plan.journey[2]).toMatchObject({
      headers: { 'X-Key': { secret: 'env:HOLDFAST_X_KEY' } },
      multipart: [
        { name: 'photo', file: '/home/me/photo.jpg' },
        { name: 'note', value: '{{uuid}}', type: 'text/markdown' },
      ],
    });
    expect(plan.journey[3]).toMatchObject({ form: { a: '{{fromEnvironment}}' } });
    expect(plan.journey[4]?.target).toBe('other');
    expect(plan.journey[5]).toMatchObject({ json: { query: 'query { me { id } }', variables: { a: 1 } } });
    expect(secrets.get('HOLDFAST_PASSWORD')).toBe('hush-hush');
    expect(secrets.get('HOLDFAST_X_KEY')).toBe('k3y');
  });

  it('notes scripts and missing environment values', () => {
    const { notes } = shop();
    const reported = notes.map(({ location, what }) => `${location}: ${what}`).join('\n');
    for (const part of ['One line of the test script', 'before the request', '{{fromEnvironment}}', 'disabled in'])
      expect(reported).toContain(part);
  });

  const readCollection = (...urls: unknown[]): string =>
    JSON.stringify({ info: { name: 'C' }, item: urls.map((url, index) => ({ name: `R${index}`, request: { method: 'GET', url } })) });

  it('fills path variables with an id, as in version 2.0', () => {
    const url = {
      raw: 'http://a.example/users/:id/:part',
      variable: [
        { id: 'id', value: '42' },
        { key: 'part', value: 'all' },
      ],
    };
    expect(readImported(readCollection(url)).plan.journey[0]?.path).toBe('/users/42/all');
  });

  it('reports a path variable without a value', () => {
    const { plan, notes } = readImported(readCollection('http://a.example/users/:id/orders?at=12:30'));
    expect(plan.journey[0]?.path).toBe('/users/:id/orders?at=12:30');
    expect(notes.map(({ what }) => what)).toContain('The path variable :id has no value.');
  });

  it('sends a path that begins with two slashes as it is', () => {
    const { plan } = readImported(readCollection('http://a.example//api/users'));
    expect(new URL(plan.journey[0]?.path ?? '', plan.targets[0]?.url).href).toBe('http://a.example//api/users');
  });

  it('reads requests without a raw address', () => {
    const { plan: made, notes: reported } = readImported(
      readCollection(
        {
          host: ['{{baseUrl}}'],
          path: ['pets', ':petId'],
          query: [{ key: 'limit', value: '3' }],
          variable: [{ key: 'petId', value: '7' }],
        },
        { host: ['{{baseUrl}}'], path: ['stores'] },
      ),
    );
    expect(made.targets[0]?.url).toBe('http://localhost/');
    expect(reported.filter(({ kind }) => kind === 'leftOut')).toEqual([]);
    expect(made.journey.map(({ path }) => path)).toEqual(['/pets/7?limit=3', '/stores']);
    const whole = { protocol: 'https', host: ['api', 'example', 'org'], port: '8443', path: ['v1', 'pets'] };
    const { plan: named } = readImported(readCollection(whole));
    expect([named.targets[0]?.url, named.journey[0]?.path]).toEqual(['https://api.example.org:8443/', '/v1/pets']);
  });
});
