import { describe, expect, it } from 'vitest';
import { titleOf } from '#core/import/importers.ts';
import { isPlainAddress } from '#core/import/imported.ts';
import { importText } from '#core/import/importText.ts';
import { foundText, shownChoices } from './ImportPreview.tsx';

/** An OpenAPI document with 600 POST operations followed by 3 GET operations. */
const MANY_PATHS = Object.fromEntries(
  Array.from({ length: 603 }, (_, index) => [`/${index}`, { [index < 600 ? 'post' : 'get']: { operationId: `o${index}` } }]),
);

describe('the operations that are offered', () => {
  it('include the selected ones, wherever they are in the document', () => {
    const result = importText(JSON.stringify({ openapi: '3.0.0', paths: MANY_PATHS }));
    const choices = result.kind === 'imported' ? (result.imported.choices ?? []) : [];
    expect(choices).toHaveLength(603);
    const shown = shownChoices(choices);
    expect(shown).toHaveLength(500);
    expect(shown.filter(({ isTaken }) => isTaken).map(({ id }) => id)).toEqual(['o600', 'o601', 'o602']);
    expect(shown[496]?.id).toBe('o496');
  });

  it('are all operations if there are few', () => {
    const choices = [{ id: 'a', label: 'GET /a', isTaken: true }];
    expect(shownChoices(choices)).toBe(choices);
  });
});

describe('foundText', () => {
  const importedText = (text: string): string => {
    const result = importText(text);
    if (result.kind !== 'imported') return result.kind;
    return foundText(result.imported, titleOf(result.imported.kind), isPlainAddress(result.imported));
  };

  it('reports assumptions but no differences if the input only leaves values open', () => {
    expect(importedText('http://a.example/')).toBe('One page. Default load: 10 connections for 30 s. You can change it on the next page.');
    expect(importedText('curl http://a.example/')).toBe('This is a curl command. The plan has one request. Assumptions are listed below.');
    expect(importedText('ab -n 10 -c 2 http://a.example/')).toMatch(/The plan has one request, and covers everything in it\.$/);
  });

  it('reports differences if the plan omits a part of the input', () => {
    expect(importedText('curl --limit-rate 10 http://a.example/')).toMatch(/The plan has one request\. Differences are listed below\.$/);
  });
});
