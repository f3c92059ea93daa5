import { GRID_COLOR, INK_COLOR, LINE_COLOR, QUIET_INK_COLOR, TONES } from './markup.ts';

/** Supported paper sizes of reports. */
export const PAPERS = ['A4', 'Letter'] as const;
export type Paper = (typeof PAPERS)[number];

const FONT_FAMILIES = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Liberation Sans', 'DejaVu Sans', sans-serif";

function quoteFont(text: string): string {
  const letters = [...text.replaceAll(/\s+/g, ' ')];
  return `"${letters.map((letter) => (/[\w .,:;·–-]/.test(letter) ? letter : `\\${(letter.codePointAt(0) ?? 32).toString(16)} `)).join('')}"`;
}

const SCREEN_CSS = `:root { color-scheme: light; -webkit-print-color-adjust: exact; print-color-adjust: exact; }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 860px; padding: 24px 20px 48px; font: 15px/1.45 ${FONT_FAMILIES}; color: ${INK_COLOR}; background: #fff; font-variant-numeric: tabular-nums; overflow-wrap: break-word; text-wrap: pretty; }
h1, h2, h3, p, ul, dl, figure, table, pre { margin: 0; }
h1 { font-size: 26px; line-height: 1.2; }
h2 { font-size: 20px; margin-top: 36px; padding-bottom: 4px; border-bottom: 2px solid ${INK_COLOR}; }
h3 { font-size: 15px; margin-top: 20px; }
p, ul, dl, pre { margin-top: 8px; }
ul { padding-left: 20px; }
li + li { margin-top: 3px; }
.facts { color: ${QUIET_INK_COLOR}; overflow-wrap: anywhere; }
.skip { position: absolute; left: -9999px; }
nav { margin-top: 16px; padding: 10px 14px; border: 1px solid ${LINE_COLOR}; border-radius: 6px; }
nav ul { display: flex; flex-wrap: wrap; gap: 4px 18px; list-style: none; padding: 0; margin: 0; }
nav li + li { margin: 0; }
a { color: #005a5b; }
.verdict + p { margin-top: 12px; }
.verdict { display: flex; gap: 12px; align-items: flex-start; margin-top: 14px; padding: 12px 14px; border: 2px solid currentColor; border-radius: 6px; }
.verdict svg { flex: none; width: 26px; height: 26px; }
.verdict p { margin: 0; color: ${INK_COLOR}; }
.answer > h2 + p { font-weight: 600; font-size: 1.15em; }
.verdict strong { font-size: 19px; line-height: 26px; text-wrap: balance; }
${Object.entries(TONES)
  .map(([name, color]) => `.${name} { color: ${color}; }`)
  .join('\n')}
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(150px, 1fr)); gap: 10px; margin-top: 12px; padding: 0; list-style: none; }
.tiles li { margin: 0; padding: 8px 10px; border: 1px solid ${LINE_COLOR}; border-radius: 6px; }
.tiles span { display: block; color: ${QUIET_INK_COLOR}; font-size: 12.5px; }
.tiles strong { display: block; font-size: 18px; line-height: 1.25; }
figure { margin-top: 14px; }
figcaption span { color: ${QUIET_INK_COLOR}; font-size: 12.5px; }
svg { display: block; font-family: ${FONT_FAMILIES}; }
figure > svg { width: 100%; height: auto; }
.key { display: flex; flex-wrap: wrap; gap: 2px 14px; list-style: none; padding: 0; margin: 4px 0; font-size: 12.5px; }
.key li { display: flex; gap: 5px; align-items: center; margin: 0; }
.scroll { overflow-x: auto; margin-top: 8px; }
table { width: 100%; border-collapse: collapse; font-size: 13px; }
caption { text-align: left; font-weight: 600; font-size: 15px; padding: 12px 0 4px; }
th, td { padding: 4px 8px 4px 0; border-bottom: 1px solid ${GRID_COLOR}; text-align: left; vertical-align: top; }
th { font-weight: 600; }
thead th { border-bottom: 1px solid ${INK_COLOR}; vertical-align: bottom; }
.number { text-align: right; padding-left: 8px; white-space: nowrap; }
th.number, .long { white-space: normal; }
.number:last-child { padding-right: 0; }
.number + :not(.number) { padding-left: 12px; }
tbody th { font-weight: 400; overflow-wrap: anywhere; min-width: 12ch; }
td small, th small { display: block; color: ${QUIET_INK_COLOR}; font-size: 0.92em; font-weight: 400; }
.note { color: ${QUIET_INK_COLOR}; font-size: 12.5px; margin-top: 4px; }
dl { display: grid; grid-template-columns: minmax(120px, 34%) 1fr; gap: 2px 14px; font-size: 14px; }
dt { color: ${QUIET_INK_COLOR}; }
dd { margin: 0; overflow-wrap: anywhere; }
.finding { margin-top: 14px; padding: 8px 12px; border-left: 4px solid currentColor; }
.finding > * { color: ${INK_COLOR}; }
.finding h3 { margin: 0; }
.finding .level { font-weight: 600; }
.finding.problem { color: ${TONES.failed}; }
.finding.warning { color: ${TONES.inconclusive}; }
.finding.info { color: ${TONES.info}; }
pre { padding: 10px 12px; border: 1px solid ${LINE_COLOR}; border-radius: 6px; font: 12px/1.4 ui-monospace, 'DejaVu Sans Mono', Consolas, monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
ol.film { display: grid; grid-template-columns: repeat(8, 1fr); gap: 6px; list-style: none; padding: 0; margin: 4px 0 8px; }
figure.half { display: inline-block; width: 49.5%; vertical-align: top; }
figure.half ol.film { grid-template-columns: repeat(4, 1fr); padding-right: 6px; }
ol.film li { margin: 0; font-size: 11px; color: ${QUIET_INK_COLOR}; }
ol.film img, ol.film .blank { display: block; width: 100%; border: 1px solid ${LINE_COLOR}; }
ol.film .blank { aspect-ratio: 8 / 5; background: ${GRID_COLOR}; }
footer { margin-top: 32px; color: ${QUIET_INK_COLOR}; font-size: 12.5px; }`;

/** CSS that overrides {@link SCREEN_CSS} on paper. */
const PRINT_CSS = `@media print {
  body { max-width: none; padding: 0; font-size: 10pt; line-height: 1.36; }
  h1 { font-size: 18pt; }
  h2 { font-size: 14pt; margin-top: 20pt; break-after: avoid; }
  h3 { font-size: 10.5pt; margin-top: 11pt; break-after: avoid; }
  p, ul, dl, pre { margin-top: 5pt; }
  li + li { margin-top: 1.5pt; }
  nav, .skip, footer { display: none; }
  .verdict + p { margin-top: 8pt; }
  .verdict { margin-top: 8pt; padding: 7pt 9pt; break-inside: avoid; }
  .verdict strong { font-size: 13pt; line-height: 26px; }
  .tiles { grid-template-columns: repeat(4, 1fr); gap: 6pt; margin-top: 7pt; break-inside: avoid; }
  .tiles li { padding: 4pt 6pt; }
  .tiles strong { font-size: 11.5pt; }
  .tiles span, figcaption span, .key, .note { font-size: 8pt; }
  figure { margin-top: 8pt; break-inside: avoid; }
  .scroll { overflow: visible; margin-top: 5pt; }
  table { font-size: 8.5pt; }
  caption { font-size: 10pt; padding: 6pt 0 2pt; break-after: avoid; }
  th, td { padding: 2pt 5pt 2pt 0; }
  .wide { font-size: 7.5pt; }
  .wide tbody th { min-width: 18ch; }
  tr, dl, .finding { break-inside: avoid; }
  .short { break-inside: avoid; }
  p:not(.scroll + .note):has(+ .scroll), h3 + p:has(+ p + .scroll) { break-after: avoid; }
  tbody tr:first-child { break-after: avoid; }
  tbody tr:last-child, .scroll + .note { break-before: avoid; }
  thead { display: table-header-group; break-after: avoid; }
  tbody { break-before: avoid; }
  dl { font-size: 9pt; }
  pre { font-size: 7.5pt; padding: 5pt 7pt; }
  pre.columns { columns: 2; column-gap: 14pt; column-rule: 1px solid ${LINE_COLOR}; }
  .answer h2 { display: none; }
  p, li { orphans: 2; widows: 2; }
  pre { orphans: 8; widows: 8; }
}`;

/**
 * Returns the CSS of a report, for screens and paper. Without `paper`, the user chooses the paper size when printing. Page numbers are in
 * page margin boxes, which Chromium has supported since version 131; other browsers print their own.
 */
export function styleSheet(origin: string, paper: Paper | undefined): string {
  return `
@page {
  ${paper === undefined ? '' : `size: ${paper};`}
  margin: 15mm 16mm 17mm;
  @bottom-left { content: ${quoteFont(origin)}; font: 8pt ${FONT_FAMILIES}; color: ${QUIET_INK_COLOR}; }
  @bottom-right { content: counter(page) " / " counter(pages); font: 8pt ${FONT_FAMILIES}; color: ${QUIET_INK_COLOR}; }
}
${SCREEN_CSS}
${PRINT_CSS}
`;
}
