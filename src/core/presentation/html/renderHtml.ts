import type { Report, Section } from '../document/model.ts';
import { blockHtml } from './blocks.ts';
import { markup, Markup } from './markup.ts';
import { styleSheet, type Paper } from './style.ts';

/** Content policy that forbids requests and scripts. The file contains everything, including pictures. */
const CONTENT_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

/**
 * Renders a report as one HTML file that needs no network and runs no scripts. The PDF report is this file, printed. Without `paper`, the
 * user chooses the paper size when printing.
 */
export function renderHtml(report: Report, paper?: Paper): string {
  const { title, facts, sections, origin } = report;
  const style = new Markup(styleSheet(origin, paper));
  const links = sections.slice(1).map(({ id, title: name }) => markup`<li><a href="#${id}">${name}</a></li>`);
  return `<!doctype html>\n${
    markup`<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${CONTENT_POLICY}">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="${origin}">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<header><h1>${title}</h1><p class="facts">${facts.join(' · ')}</p></header>
<main>
${sections.map((section, index) => sectionHtml(section, index, index === 0 && links.length > 0 ? markup`<nav aria-label="Contents"><ul>${links}</ul></nav>` : markup``))}
</main>
<footer>${origin}</footer>
</body>
</html>
`.text
  }`;
}

/** Renders a section. The table of contents follows the first section, which contains the verdict. */
function sectionHtml({ id, title, blocks }: Section, index: number, contents: Markup): Markup {
  const inner = blocks.map((block, place) => blockHtml(block, `c${index}-${place}`));
  return markup`<section id="${id}"${index === 0 ? markup` class="answer"` : markup``}><h2>${title}</h2>${inner}${contents}</section>
`;
}
