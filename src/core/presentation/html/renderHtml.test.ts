import { readFileSync } from 'node:fs';
import { Parser } from 'htmlparser2';
import { describe, expect, it } from 'vitest';
import { planWith } from '#core/testing/plans.ts';
import { sampleResult } from '#core/result/testing/sampleResult.ts';
import { runReport } from '../document/runReport.ts';
import { HATCHES } from './shapes.ts';
import { SERIES_COLORS } from './markup.ts';
import { renderHtml } from './renderHtml.ts';

const VOID = new Set(['meta', 'link', 'br', 'hr', 'img', 'input']);

interface PageContent {
  readonly ids: string[];
  readonly attributes: { readonly tag: string; readonly name: string; readonly value: string }[];
  readonly tags: string[];
  readonly text: string;
}

/** Parses a document; throws if a tag is not closed. */
function parsed(html: string): PageContent {
  const seen = { ids: [] as string[], attributes: [] as PageContent['attributes'], tags: [] as string[], text: '' };
  const open: string[] = [];
  const parser = new Parser(
    {
      onopentag(tag, attributes) {
        seen.tags.push(tag);
        if (!VOID.has(tag)) open.push(tag);
        for (const [name, value] of Object.entries(attributes)) {
          seen.attributes.push({ tag, name, value });
          if (name === 'id') seen.ids.push(value);
        }
      },
      ontext: (text) => void (seen.text += text),
      onclosetag(tag, implied) {
        if (VOID.has(tag)) return;
        if (open.pop() !== tag || (implied && tag !== 'path' && tag !== 'rect' && tag !== 'circle'))
          throw new Error(`<${tag}> is not closed`);
      },
    },
    { lowerCaseTags: false, recognizeSelfClosing: true, decodeEntities: true },
  );
  parser.end(html);
  return seen;
}

describe('the report as HTML', () => {
  const sample = () => renderHtml(runReport(sampleResult()), 'A4');

  it('is well-formed, with unique ids and working links', () => {
    const html = sample();
    const seen = parsed(html);
    expect(html.startsWith('<!doctype html>')).toBe(true);
    expect(new Set(seen.ids).size).toBe(seen.ids.length);
    const links = seen.attributes.filter(({ name }) => name === 'href').map(({ value }) => value);
    expect(links.length).toBeGreaterThan(5);
    for (const link of links) expect(seen.ids).toContain(link.slice(1));
    for (const { value } of seen.attributes.filter(({ name }) => name === 'clip-path')) expect(seen.ids).toContain(value.slice(5, -1));
    expect(html).not.toMatch(/NaN|undefined|Infinity/);
  });

  it('loads no resources and runs no scripts', () => {
    const html = sample();
    const seen = parsed(html);
    expect(seen.tags.filter((tag) => ['script', 'link', 'img', 'iframe', 'object', 'embed', 'form', 'image', 'use'].includes(tag))).toEqual(
      [],
    );
    expect(seen.attributes.filter(({ name }) => ['src', 'srcset', 'style', 'xlink:href'].includes(name) || name.startsWith('on'))).toEqual(
      [],
    );
    expect(html).not.toMatch(/url\((?!#)|@import/);
    expect(seen.attributes.find(({ name, value }) => name === 'content' && value.includes('default-src'))?.value).toContain(
      "default-src 'none'",
    );
  });

  it('escapes foreign names', () => {
    const evil = `</style></title><script>alert("x")</script><img src=x onerror='y'>\u0000\u009b31m\u202e`;
    const sample = sampleResult();
    const wild = renderHtml(
      runReport({
        ...sample,
        run: { ...sample.run, name: evil, note: evil, id: evil },
        plan: planWith({ name: 'plan', journey: [{ name: evil.slice(0, 60), path: '%3Cscript%3E' }], story: evil }),
        verdict: { ...sample.verdict, sentence: evil, parts: { load: evil, cause: evil, more: evil }, exercised: [evil] },
        stages: sample.stages.map((stage) => ({ ...stage, name: evil })),
        errors: { [evil]: 3 },
        events: [{ second: 1, kind: 'note', text: evil }],
      }),
    );
    const { tags, text } = parsed(wild);
    expect(tags).not.toContain('script');
    expect(tags).not.toContain('img');
    expect(tags.filter((tag) => tag === 'style')).toHaveLength(1);
    expect(text).toContain('<script>alert("x")</script>');
    expect(wild).not.toMatch(/[\0\u009b\u202e]/);
  });

  it('sets the paper size only if requested', () => {
    expect(sample()).toContain('size: A4;');
    expect(renderHtml(runReport(sampleResult()))).not.toMatch(/size: (A4|Letter)/);
  });

  it('describes every chart for screen readers', () => {
    const seen = parsed(sample());
    const pictures = seen.attributes.filter(({ tag, name, value }) => tag === 'svg' && name === 'role' && value === 'img');
    const names = seen.attributes.filter(({ tag, name }) => tag === 'svg' && name === 'aria-label').map(({ value }) => value);
    expect(pictures.length).toBeGreaterThan(4);
    expect(names).toHaveLength(pictures.length);
    expect(names[1]).toMatch(/^Latency\. max: between .*\sms and /);
  });
});

describe('the colours of data', () => {
  const css = readFileSync(new URL('../../../ui/styles/series.css', import.meta.url), 'utf8');
  const light = new Map(
    [...css.matchAll(/--series-([\w-]+): light-dark\(oklch\(([\d.]+)% ([\d.]+) ?([\d.]*)\)/g)].map(([, name = '', ...parts]) => [
      name,
      parts.map(Number),
    ]),
  );

  it('equal those of the screen', () => {
    expect(Object.keys(SERIES_COLORS).sort()).toEqual([...light.keys()].sort());
    for (const [name, [lightness = 0, chroma = 0, hue = 0]] of light)
      expect([name, SERIES_COLORS[name]]).toEqual([name, toHex(lightness, chroma, hue)]);
  });

  it('are accompanied by hatches, so that the layers of a stack are distinguishable without colour', () => {
    expect(new Set(HATCHES).size).toBe(HATCHES.length);
    // The layers are the statuses 1xx to 5xx and requests without a response.
    expect(HATCHES.length).toBeGreaterThanOrEqual(6);
  });
});

describe('layout of a report:', () => {
  const toClass = (lines: number) => {
    const text = Array.from({ length: lines }, (_, line) => `line ${line}`).join('\n');
    const report = {
      title: '',
      facts: [],
      origin: '',
      sections: [{ id: 'code', title: '', blocks: [{ kind: 'code' as const, title: 'Plan', text }] }],
    };
    return parsed(renderHtml(report, 'A4')).attributes.find(({ tag, name }) => tag === 'pre' && name === 'class')?.value;
  };

  it('code is printed in two columns if it has many short lines', () => {
    expect(toClass(16)).toBeUndefined();
    expect(toClass(17)).toBe('columns');
  });

  it('short film strips are placed two in a row, and long ones over the full width', () => {
    const film = (moments: number) => ({
      kind: 'film' as const,
      title: '“Log in”, moment by moment',
      strips: [{ name: 'Without load', pictures: Array.from({ length: moments }, (_, index) => ({ at: `${index} ms`, jpeg: null })) }],
    });
    const html = (moments: number) =>
      renderHtml({ title: '', facts: [], origin: '', sections: [{ id: 'visits', title: '', blocks: [film(moments)] }] });
    expect(html(4)).toContain('<figure class="half">');
    expect(html(5)).not.toContain('<figure class="half">');
  });
});

/** Converts OKLCH to sRGB with Ottosson's matrices (https://bottosson.github.io/posts/oklab/). */
function toHex(lightness: number, chroma: number, hue: number): string {
  const [L, a, b] = [lightness / 100, chroma * Math.cos((hue * Math.PI) / 180), chroma * Math.sin((hue * Math.PI) / 180)];
  const l = (L + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (L - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (L - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const channels = [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ].map((linear) => {
    const clamped = Math.min(1, Math.max(0, linear));
    return Math.round(255 * (clamped <= 0.003_130_8 ? 12.92 * clamped : 1.055 * clamped ** (1 / 2.4) - 0.055));
  });
  return `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}
