import { describe, expect, it } from 'vitest';
import { planOfRecording, type RecordingOptions } from '../har/importHar.ts';
import { type HarRequest as Recorded, harOf } from '../testing/documents.ts';

const [ONE, TWO, THREE] = [
  'a3bb189e-8bf9-4888-9912-ace4e6543002',
  '6fa459ea-ee8a-4ca4-894e-db77e160355e',
  '16fd2706-8baf-433b-82eb-8c7fada847da',
] as const;
const JSON_TYPE = 'application/json';

function planOf(entries: readonly Recorded[], options: RecordingOptions = {}) {
  const { result } = planOfRecording(JSON.parse(harOf(...entries)), options);
  if (result.kind === 'refused') throw new Error(JSON.stringify(result.issues));
  return result.imported;
}

const page = (text = ''): Recorded => ({ url: 'http://a.example/edit', text, resource: 'document' });
const saved = (at: number, body: string, answer = ''): Recorded => ({
  url: 'http://a.example/save',
  at,
  method: 'POST',
  resource: 'fetch',
  headers: { 'Content-Type': JSON_TYPE },
  body: { mimeType: JSON_TYPE, text: body },
  type: JSON_TYPE,
  text: answer,
});

describe('a UUID that nothing had brought', () => {
  it('is made anew by each journey wherever it is sent, also where it came back meanwhile', () => {
    const { plan, notes } = planOf([
      page(),
      saved(1_000, `{"blocks":[{"id":"${ONE}"},{"id":"${TWO}"}]}`, `{"first":"${ONE}"}`),
      saved(2_000, `{"order":["${TWO}","${ONE}"]}`),
    ]);
    expect(plan.variables).toEqual({ new_id: { kind: 'uuid', per: 'journey' }, new_id_2: { kind: 'uuid', per: 'journey' } });
    expect(plan.journey.map(({ json }) => json)).toEqual([
      undefined,
      { blocks: [{ id: '{{new_id}}' }, { id: '{{new_id_2}}' }] },
      { order: ['{{new_id_2}}', '{{new_id}}'] },
    ]);
    expect(notes).toContainEqual(
      expect.objectContaining({ what: 'The pages made 2 UUIDs.', instead: 'The plan makes new ones: {{new_id}}, {{new_id_2}}.' }),
    );
  });

  it('is made anew by each request where no other sent it', () => {
    const call = (at: number, id: string): Recorded => ({ ...saved(at, '{}'), headers: { 'X-Request-Id': id, 'Content-Type': JSON_TYPE } });
    const { plan } = planOf([page(), call(1_000, ONE), call(2_000, TWO)]);
    expect(plan.variables).toEqual({ request_id: { kind: 'uuid', per: 'request' } });
    expect(plan.journey.slice(1).map(({ headers }) => headers['X-Request-Id'])).toEqual(['{{request_id}}', '{{request_id}}']);
  });

  it('is found within the text of an editor and of an address', () => {
    const text = `body=${encodeURIComponent(`{"blocks":[{"key":"${ONE}","text":"Hello"}]}`)}`;
    const form = { ...saved(1_000, ''), headers: {}, body: { mimeType: 'application/x-www-form-urlencoded', text } };
    const { plan } = planOf([page(), form, { url: `http://a.example/show?from=%2Fblocks%2F${ONE}`, at: 2_000, resource: 'document' }]);
    expect(plan.journey[1]?.form).toEqual({ body: '{"blocks":[{"key":"{{new_id}}","text":"Hello"}]}' });
    expect(plan.journey[2]?.path).toBe('/show?from=%2Fblocks%2F{{new_id}}');
  });

  it('has the name that a person gave the text', () => {
    const { plan } = planOf([page(), saved(1_000, `{"title":"${ONE}","id":"${TWO}"}`)], { unique: [ONE] });
    expect(plan.journey[1]?.json).toEqual({ title: '{{unique}}', id: '{{request_id}}' });
  });
});

it('a UUID counts as made by the page although a file of it is lost', () => {
  const script = { url: 'http://a.example/app.js', resource: 'script', type: 'text/javascript' };
  const { log } = JSON.parse(
    harOf(page(), { ...script, at: 500, text: '' }, saved(1_000, `{"id":"${ONE}","client":"${TWO}"}`), {
      ...script,
      at: 2_000,
      text: `client="${TWO}"`,
    }),
  ) as { log: { entries: { response: { content: object } }[] } };
  const entries = log.entries.map((entry, index) =>
    index === 1 ? { ...entry, response: { ...entry.response, content: { size: 900, mimeType: 'text/javascript' } } } : entry,
  );
  const { result } = planOfRecording({ log: { ...log, entries } });
  if (result.kind === 'refused') throw new Error(JSON.stringify(result.issues));
  expect(result.imported.plan.journey[1]?.json).toEqual({ id: '{{request_id}}', client: TWO });
});

describe('a UUID stays as it was recorded that', () => {
  it.each<[string, Recorded[]]>([
    ['a page brought', [page(`<form data-id="${ONE}">`), saved(1_000, `{"id":"${ONE}"}`)]],
    [
      'a script of another server brought',
      [
        page(),
        { url: 'http://cdn.example/app.js', at: 500, resource: 'script', type: 'text/javascript', text: `client="${ONE}"` },
        saved(1_000, `{"id":"${ONE}"}`),
      ],
    ],
    ['a cookie of an earlier visit holds', [{ ...page(), headers: { Cookie: `visitor=${ONE}` } }, saved(1_000, `{"id":"${ONE}"}`)]],
    ['is made of a name, and always the same', [page(), saved(1_000, '{"id":"74738ff5-5367-5958-9aee-98fffdcd1876"}')]],
    ['is the name of a member', [page(), saved(1_000, `{"${ONE}":{"id":"${ONE}"}}`)]],
  ])('%s', (_, entries) => {
    const { plan } = planOf(entries);
    expect(JSON.stringify(plan)).not.toMatch(/new_id|request_id/);
  });

  it('may have been in a response that the recording lacks', () => {
    const { log } = JSON.parse(harOf(page(), saved(1_000, `{"id":"${THREE}"}`))) as { log: { entries: { response: object }[] } };
    const [first, ...rest] = log.entries;
    const lost = { ...first, response: { ...first?.response, content: { size: 900, mimeType: 'text/html' } } };
    const { result } = planOfRecording({ log: { ...log, entries: [lost, ...rest] } });
    expect(JSON.stringify(result)).not.toContain('request_id');
  });
});
