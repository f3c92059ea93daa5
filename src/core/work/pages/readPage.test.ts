import { describe, expect, it } from 'vitest';
import { chosenImage, isForScreen } from './chosenImage.ts';
import { MAX_ADDRESS_LENGTH, MAX_LINKS } from './pageLinks.ts';
import { readPage, listTaggedLinks } from './readPage.ts';
import { MAX_PAGE_CHARACTERS } from './readTags.ts';

const url = 'http://school.example/grade-10/page.html?x=1';
const found = (html: string): string[] => readPage(html, url).resources.map((link) => `${link.kind} ${link.url}`);

describe('listTaggedLinks', () => {
  it('returns each link and image once, in page order, whatever its purpose', () => {
    const html = `<link rel="alternate" href="/feed.xml"><link rel="shortcut icon" href="/f.png"><link rel=stylesheet media=print href=p.css>
      <script src="a.js"></script><img src="b.png"><noscript><img src="n.png"></noscript><!-- <img src="no.png"> -->
      <img srcset="big.png 2x" src="small.png" loading="lazy"><picture><source srcset="w.webp"><img src="b.png"></picture>`;
    expect(listTaggedLinks(html, url).map((link) => `${link.kind} ${link.url.replace('http://school.example', '')}`)).toEqual([
      'css /feed.xml',
      'icon /f.png',
      'css /grade-10/p.css',
      'image /grade-10/b.png',
      'image /grade-10/n.png',
      'image /grade-10/small.png',
    ]);
  });
});

describe('links of readPage', () => {
  it('are style sheets, scripts, images, icons and preloads, in page order', () => {
    expect(
      found(`<!DOCTYPE html><html><head>
        <link REL="StyleSheet" href=a.css><link rel="shortcut icon" href='/favicon.png'>
        <link rel=preload as=font href=//cdn.example/f.woff2><link rel="canonical" href="/x"><link rel=preload as=fetch href=/data>
        <script src="b.js" async></script><script type="text/template" src="no.js"></script><script>var a = '<img src="no.png">';</script>
        </head><body><img src=../c.png><input type=image src="d.gif"><img src="data:image/png;base64,AAAA"></body></html>`),
    ).toEqual([
      'css http://school.example/grade-10/a.css',
      'icon http://school.example/favicon.png',
      'font http://cdn.example/f.woff2',
      'script http://school.example/grade-10/b.js',
      'image http://school.example/c.png',
      'image http://school.example/grade-10/d.gif',
    ]);
  });

  it('use the first base, contain each address once, and have no fragments', () => {
    expect(
      found(`<base href="/static/"><base href="/other/"><img src="a.png#one"><img src=" a.png "><img src="a.png#">
        <img src="a.png?b=1&amp;c=2"><img src="#">`),
    ).toEqual([
      'image http://school.example/static/a.png',
      'image http://school.example/static/a.png?b=1&c=2',
      'image http://school.example/static/',
    ]);
  });

  it('exclude content for browsers without scripts', () => {
    expect(
      found(`<noscript><img src=pixel.png></noscript><template><img src=t.png></template><!-- <img src=c.png> -->
        <textarea><img src=in-text.png></textarea><img src=><img><img src="http://[broken">`),
    ).toEqual([]);
  });

  it('are limited, also for text that is not HTML', () => {
    expect(found('<<<>>< img src=a <img src="unclosed')).toEqual([]);
    const many = readPage(Array.from({ length: 2 * MAX_LINKS }, (_, index) => `<img src="${index}.png">`).join(''), url);
    expect([many.resources.length, many.isCut]).toEqual([MAX_LINKS, true]);
    const long = readPage(`${' '.repeat(MAX_PAGE_CHARACTERS)}<img src=a.png>`, url);
    expect([long.resources.length, long.isCut]).toEqual([0, true]);
  });

  it('exclude addresses that are too long for servers', () => {
    const links = Array.from({ length: MAX_LINKS }, (_, index) => `<img src=${index}.png><a href=${index}>x</a>`).join('');
    const page = readPage(`<base href="/${'b'.repeat(400_000)}/">${links}`, url);
    expect([page.resources, page.pages, page.isCut]).toEqual([[], [], true]);
    const fits = `/${'c'.repeat(MAX_ADDRESS_LENGTH - 'http://school.example/'.length)}`;
    expect(found(`<img src="${fits}">`)).toHaveLength(1);
    expect(found(`<img src="${fits}c">`)).toHaveLength(0);
  });

  it('are returned with the title and the linked pages', () => {
    const page = readPage(
      '<title> One &amp;\n two </title><svg><title>no</title></svg><a href="/b#c">b</a><a href=/b>b</a><a href="mailto:a@b">m</a><a href="javascript:x()">j</a>',
      url,
    );
    expect(page).toMatchObject({ title: 'One & two', pages: ['http://school.example/b'], isCut: false });
  });
});

describe('readPage', () => {
  const urgencies = (html: string): string[] =>
    readPage(html, url).resources.map(
      (link) => `${link.url.slice(link.url.lastIndexOf('/') + 1)} ${link.urgency}${link.holdsBody ? ' holds' : ''}`,
    );

  it('orders style sheets, blocking scripts, late scripts and five images, the rest, icons, and lazy images', () => {
    const images = Array.from({ length: 6 }, (_, index) => `<img src=p${index} width=200 height=200>`).join('');
    expect(
      urgencies(`<head><link rel=icon href=i><script src=async.js async></script><link rel=stylesheet href=a.css><link rel=stylesheet href=print.css media=print>
        <script src=head.js></script><script src=defer.js defer></script><script type=module src=module.js></script><link rel=stylesheet href=b.css></head>
        <body><img src=small width=40 height=40>${images}<img loading=lazy src=far><script src=end.js></script>`),
    ).toEqual([
      'i afterwards',
      'async.js low',
      'a.css first holds',
      'print.css last',
      'head.js soon holds',
      'defer.js low',
      'module.js soon',
      'b.css first',
      'small low',
      ...[0, 1, 2, 3, 4].map((index) => `p${index} usual`),
      'p5 low',
      'far afterwards',
      'end.js usual',
    ]);
  });

  it('lets style sheets block the body only if a script in the page waits for them', () => {
    expect(urgencies('<link rel=stylesheet href=a.css><script>1</script><link rel=stylesheet href=b.css>')).toEqual([
      'a.css first holds',
      'b.css first',
    ]);
    expect(urgencies('<head><link rel=stylesheet href=a.css></head><script src=b.js></script>')).toEqual(['a.css first', 'b.js soon']);
  });

  it('gives an icon that is also an image of the page the urgency of that image', () => {
    expect(urgencies('<link rel=icon href=logo><script defer src=a.js></script><img src=logo>')).toEqual(['a.js low', 'logo usual']);
  });

  it('leaves out resources for older browsers, other screens and larger icons', () => {
    expect(
      found(`<script nomodule src=old.js></script><link rel=preload as=image href=narrow.png media="(max-width: 500px)">
        <link rel=stylesheet disabled href=off.css><link rel=icon sizes=192x192 href=large.png><link rel=icon sizes=32x32 href=small.png>`),
    ).toEqual(['icon http://school.example/grade-10/small.png']);
    expect(found('<link rel=icon sizes=192x192 href=large.png>')).toEqual(['icon http://school.example/grade-10/large.png']);
  });

  it('selects the first matching source of a picture, posters and SVG images', () => {
    expect(
      found(`<picture><source media="(max-width: 500px)" srcset=narrow.png><source type=image/jxl srcset=a.jxl><source type=image/avif srcset=a.avif>
        <source srcset=late.png><img src=a.png></picture><img src=b.png><video poster=c.png src=film.mp4><source src=film.mp4></video><svg><image href=d.png /></svg>`),
    ).toEqual(['a.avif', 'b.png', 'c.png', 'd.png'].map((name) => `image http://school.example/grade-10/${name}`));
  });
});

describe('isForScreen', () => {
  it.each([
    [undefined, true],
    ['all', true],
    ['screen and (min-width: 40em)', true],
    ['print, (max-width: 1280px)', true],
    ['print', false],
    ['(min-width: 1281px)', false],
    ['(prefers-color-scheme: dark)', false],
    ['(hover: none) and (min-width: 1px)', false],
    ['(hover: hover) and (pointer: fine) and (prefers-reduced-motion: no-preference)', true],
    ['(width >= 600px)', true],
    ['(width < 1000px)', false],
    ['not print', true],
  ])('%s: %s', (media, expected) => {
    expect(isForScreen(media)).toBe(expected);
  });
});

describe('chosenImage', () => {
  it.each([
    ['(max-width: 1000px) 100vw, 600px', 'b.png'],
    ['(min-width: 1000px) 25vw, 100vw', 'a.png'],
    ['auto, calc(100vw - 2rem)', 'c.png'],
    ['40em', 'b.png'],
  ])('sizes %s: %s', (sizes, expected) => {
    expect(chosenImage('s.png', 'a.png 320w, b.png 640w, c.png 1300w', sizes)).toBe(expected);
  });

  it.each([
    [undefined, 'a.png, b.png 2x', 'a.png'],
    ['s.png', 'b.png 2x, c.png 3x', 's.png'],
    ['s.png', 'a.png 320w, b.png 1280w, c.png 2560w', 'b.png'],
    [undefined, 'a.png 320w,b.png 640w', 'b.png'],
    ['s.png', '', 's.png'],
    [undefined, 'data:image/png;base64,AA== 1x, b.png 2x', 'data:image/png;base64,AA=='],
    [undefined, undefined, null],
    [' ', undefined, null],
  ])('src %s and srcset %s: %s', (src, srcset, expected) => {
    expect(chosenImage(src, srcset)).toBe(expected);
  });
});
