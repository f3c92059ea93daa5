import { describe, expect, it } from 'vitest';
import { titleOf } from '#core/import/importers.ts';
import { isPlainAddress } from '#core/import/imported.ts';
import { importText } from '#core/import/importText.ts';
import { foundText, shownChoices } from './ImportPreview.tsx';

/** A description that first writes 600 times, and then reads 3 times. */
const paths = Object.fromEntries(
  Array.from({ length: 603 }, (_, index) => [`/${index}`, { [index < 600 ? 'post' : 'get']: { operationId: `o${index}` } }]),
);

describe('the operations to choose from', () => {
  it('hold those that are taken, wherever in the document they stand', () => {
    const result = importText(JSON.stringify({ openapi: '3.0.0', paths }));
    const choices = result.kind === 'imported' ? (result.imported.choices ?? []) : [];
    expect(choices).toHaveLength(603);
    const shown = shownChoices(choices);
    expect(shown).toHaveLength(500);
    expect(shown.filter(({ isTaken }) => isTaken).map(({ id }) => id)).toEqual(['o600', 'o601', 'o602']);
    expect(shown[496]?.id).toBe('o496');
  });

  it('are all there when they are few', () => {
    const choices = [{ id: 'a', label: 'GET /a', isTaken: true }];
    expect(shownChoices(choices)).toBe(choices);
  });
});

describe('what was pasted', () => {
  const said = (text: string): string => {
    const result = importText(text);
    if (result.kind !== 'imported') return result.kind;
    return foundText(result.imported, titleOf(result.imported.kind), isPlainAddress(result.imported));
  };

  it('has no differences where it only leaves something open', () => {
    expect(said('http://a.example/')).toBe('One page. Default load: 10 connections for 30 s. You can change it on the next page.');
    expect(said('curl http://a.example/')).toBe('This is a curl command. The plan has one request. Assumptions are listed below.');
    expect(said('ab -n 10 -c 2 http://a.example/')).toMatch(/The plan has one request, and covers everything in it\.$/);
  });

  it('has differences where the plan leaves something out, whatever else it leaves open', () => {
    expect(said('curl --limit-rate 10 http://a.example/')).toMatch(/The plan has one request\. Differences are listed below\.$/);
  });
});
