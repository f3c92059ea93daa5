import { describe, expect, it } from 'vitest';
import type { ChosenParts } from '../imported.ts';
import { importText, readText } from '../importText.ts';
import { OPENAPI } from '../testing/documents.ts';
import { readImported, findRefusal } from '../testing/imported.ts';

const operations = (...ids: string[]): ChosenParts => ({ kind: 'operations', ids });

describe('importOpenApi', () => {
  it('takes the operations that only read', () => {
    const { plan, choices, notes } = readImported(OPENAPI);
    expect(plan.targets[0]?.url).toBe('https://api.example.org/');
    expect(plan.journey).toMatchObject([
      { name: 'listPets', path: '/v2/pets', query: { limit: '5' }, headers: { 'X-Key': '{{api_key}}' } },
      { name: 'getPet', path: '/v2/pets/12' },
    ]);
    expect(plan.journey[1]?.headers).toEqual({});
    expect(choices).toEqual([
      { id: 'listPets', label: 'GET /pets', isTaken: true },
      { id: 'addPet', label: 'POST /pets', isTaken: false },
      { id: 'getPet', label: 'GET /pets/{id}', isTaken: true },
      { id: 'removePet', label: 'DELETE /pets/{id}', isTaken: false },
    ]);
    expect(notes.some(({ what }) => what.includes('addPet, removePet'))).toBe(true);
  });

  it('takes the chosen operations, with bodies generated from their schemas', () => {
    const { plan } = readImported(OPENAPI, { chosen: operations('addPet') });
    expect(plan.journey).toMatchObject([
      { name: 'addPet', method: 'POST', json: { name: 'Rex', born: '2026-01-31', friend: { name: 'Rex' } } },
    ]);
    expect(findRefusal(OPENAPI, { chosen: operations('nothing') })).toEqual(['NO_SUCH_OPERATION']);
    expect(readImported(OPENAPI, { chosen: operations('all') }).plan.journey).toHaveLength(4);
  });

  it('lists the operations taken from a description that has more operations than a journey may have steps', () => {
    const paths = Object.fromEntries(
      Array.from({ length: 210 }, (_, index) => [`/read/${index}`, { get: { operationId: `read${index}` } }]),
    );
    const { plan, choices, notes } = readImported(JSON.stringify({ openapi: '3.0.0', paths }));
    expect(plan.journey).toHaveLength(200);
    expect(choices?.filter(({ isTaken }) => isTaken).map(({ id }) => id)).toEqual(plan.journey.map(({ name }) => name));
    expect(notes.filter(({ what }) => what.includes('more than 200 steps'))).toHaveLength(10);
  });

  it('makes the same plan for each choice, whether a text is parsed once or imported separately', () => {
    const makePlan = readText(OPENAPI);
    for (const chosen of [null, operations('addPet'), operations('nothing'), operations('all')])
      expect(makePlan(chosen)).toEqual(importText(OPENAPI, { chosen }));
  });

  it('reads Swagger 2 as OpenAPI', () => {
    const text = `swagger: "2.0"
host: a.example
basePath: /v1
schemes: [https]
consumes: [application/json]
securityDefinitions: { key: { type: apiKey, in: header, name: X-Key } }
security: [{ key: [] }]
definitions: { Pet: { type: object, properties: { name: { type: string, example: Rex } } } }
paths:
  /pets/{id}:
    parameters: [{ name: id, in: path, type: integer, required: true, x-example: 7 }]
    get:
      operationId: get
      parameters: [{ name: tags, in: query, type: array, items: { type: string }, required: true, collectionFormat: multi, x-example: [a, b] }]
    post:
      operationId: add
      parameters: [{ name: body, in: body, schema: { $ref: '#/definitions/Pet' } }]
    put:
      operationId: send
      parameters: [{ name: photo, in: formData, type: file }, { name: note, in: formData, type: string, default: hi }]
`;
    const { written } = readImported(text, { chosen: { kind: 'operations', ids: ['all'] } });
    expect(written['targets']).toEqual([{ url: 'https://a.example/' }]);
    const headers = { 'X-Key': '{{api_key}}' };
    expect(written['journey']).toEqual([
      { name: 'get', path: '/v1/pets/7?tags=a&tags=b', headers },
      { name: 'add', method: 'POST', path: '/v1/pets/7', headers, json: { name: 'Rex' } },
      {
        name: 'send',
        method: 'PUT',
        path: '/v1/pets/7',
        headers,
        multipart: [
          { name: 'photo', bytes: 1_000, fileName: 'file' },
          { name: 'note', value: 'hi' },
        ],
      },
    ]);
  });

  it('reads YAML merge keys, servers of paths and operations, and version 3.1', () => {
    const text = `openapi: 3.1.0
servers: [{ url: https://a.example/v1 }]
x-common: &common { summary: common, parameters: [{ name: q, in: query, required: true, example: 1 }] }
paths:
  /a: { get: { <<: *common, operationId: a } }
  /b:
    servers: [{ url: https://b.example/v2 }]
    get: { operationId: b }
    post:
      operationId: c
      servers: [{ url: /v3 }]
      requestBody: { content: { multipart/form-data: { schema: { properties: { f: { contentMediaType: image/png }, t: { contentMediaType: text/plain, contentEncoding: base64, example: eA== } } } } } }
`;
    const { written } = readImported(text, { chosen: { kind: 'operations', ids: ['all'] } });
    expect(written['namedTargets']).toEqual({ b: 'https://b.example/' });
    expect(written['journey']).toEqual([
      { name: 'a', path: '/v1/a', query: { q: '1' } },
      { name: 'b', target: 'b', path: '/v2/b' },
      {
        name: 'c',
        method: 'POST',
        path: '/v3/b',
        multipart: [
          { name: 'f', bytes: 1_000, fileName: 'file' },
          { name: 't', value: 'eA==' },
        ],
      },
    ]);
  });

  it.each([
    ['', '/q?p=a&p=b'],
    ['explode: false', '/q?p=a,b'],
    ['style: spaceDelimited, explode: false', '/q?p=a%20b'],
    ['style: pipeDelimited, explode: false', '/q?p=a%7Cb'],
  ])('writes a query list in its style (%s)', (style, path) => {
    const text = `openapi: 3.0.0
servers: [{ url: http://a.example }]
paths: { /q: { get: { parameters: [{ name: p, in: query, required: true, ${style === '' ? '' : `${style}, `}example: [a, b] }] } } }`;
    expect(readImported(text).plan.journey[0]?.path).toBe(path);
  });

  it('writes an object in a query member by member', () => {
    const text =
      'openapi: 3.0.0\nservers: [{ url: http://a.example }]\npaths: { /q: { get: { parameters: [{ name: p, in: query, required: true, style: deepObject, example: { x: 1, y: 2 } }] } } }';
    expect(readImported(text).plan.journey[0]?.query).toEqual({ 'p[x]': '1', 'p[y]': '2' });
  });

  const describing = (paths: unknown): string =>
    JSON.stringify({ openapi: '3.1.0', info: { title: 'A' }, servers: [{ url: 'http://a.example' }], paths });

  it('notes operations and parameters in other documents', () => {
    const { plan, notes } = readImported(
      describing({
        '/here': { get: { parameters: [{ $ref: 'parameters.yaml#/limit' }] }, post: { $ref: './there.yaml' } },
        '/there': { $ref: 'there.yaml#/paths/there' },
      }),
    );
    expect(plan.journey.map(({ path }) => path)).toEqual(['/here']);
    expect(notes.filter(({ what }) => what.includes('another document')).map(({ location }) => location)).toEqual([
      'paths./here.get.parameters',
      'paths./here.post',
      'paths./there',
    ]);
  });

  it('generates no body for an operation without one, and notes a generated body', () => {
    const schema = { type: 'object', properties: { name: { type: 'string' } } };
    const paths = { '/a': { get: { requestBody: { content: { 'application/json': { schema } } } }, post: { $ref: '#/x' } } };
    const text = JSON.stringify({ ...JSON.parse(describing(paths)), x: { requestBody: { content: { 'application/json': { schema } } } } });
    const reading = readImported(text);
    expect(reading.plan.journey).toMatchObject([{ method: 'GET', path: '/a' }]);
    expect(reading.plan.journey[0]?.json).toBeUndefined();
    expect(reading.notes.map(({ what }) => what).filter((what) => what.includes('body'))).toEqual(['A GET has no body.']);
    expect(reading.notes.map(({ what }) => what)).toContain('1 operation may change data: POST /a.');
    const writing = readImported(text, { chosen: operations('POST /a') });
    expect(writing.plan.journey).toMatchObject([{ method: 'POST', json: { name: expect.any(String) } }]);
    expect(writing.notes.map(({ instead }) => instead).join()).toContain('generated from the schema');
  });

  it.each([
    ['simple', false, [3, 4], '/3,4'],
    ['label', false, [3, 4], '/.3,4'],
    ['label', true, [3, 4], '/.3.4'],
    ['label', false, 5, '/.5'],
    ['matrix', false, 5, '/;id=5'],
    ['matrix', false, [3, 4], '/;id=3,4'],
    ['matrix', true, [3, 4], '/;id=3;id=4'],
    ['matrix', true, { role: 'admin', name: 'Ann' }, '/;role=admin;name=Ann'],
    ['simple', true, { role: 'admin', name: 'Ann' }, '/role=admin,name=Ann'],
  ])('writes a path parameter in the style %s (explode: %s)', (style, explode, example, path) => {
    const parameter = { name: 'id', in: 'path', required: true, style, explode, example };
    const { plan } = readImported(describing({ '/{id}': { get: { parameters: [parameter] } } }));
    expect(plan.journey[0]?.path).toBe(path);
  });
});
