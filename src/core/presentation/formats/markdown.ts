import { countOf } from '#core/base/units.ts';
import { bindUnits } from '#core/base/unbroken.ts';
import { visibleText } from '#core/base/text.ts';
import { evidenceLines, findingParts } from '../document/words.ts';
import { chartSummary } from '../charts/names.ts';
import { formatValue } from '../charts/units.ts';
import { type Block, type BlockOf, type Cell, cellText, type Report } from '../document/model.ts';
import { withoutAbsent } from '#core/base/lists.ts';
import { formatAfterOutcome } from '#core/judgement/verdict/labels.ts';

/** Formats a report as Markdown (CommonMark with GitHub tables). Charts are described in words. */
export function renderMarkdown({ title, facts, sections, origin }: Report): string {
  const parts = [
    `# ${escapeInline(title)}`,
    facts.map(escapeInline).join(' · '),
    ...sections.flatMap(({ title: name, blocks }) => [`## ${escapeInline(name)}`, ...blocks.map(blockText)]),
    '---',
    escapeInline(origin),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function blockText(block: Block): string {
  switch (block.kind) {
    case 'verdict':
      return verdictText(block);
    case 'tiles':
      return formatTable(
        ['', 'Value', ''],
        block.tiles.map(({ name, value, note }) => [name, value, note]),
      );
    case 'heading':
      return `### ${escapeInline(block.text)}`;
    case 'text':
      return escapeInline(block.text);
    case 'list':
      return `### ${escapeInline(block.title)}\n\n${listText(block.items)}`;
    case 'pairs':
      return `### ${escapeInline(block.title)}\n\n${listText(block.pairs.map(([name, text]) => `${name}: ${text}`))}`;
    case 'table':
      return withoutAbsent([
        `### ${escapeInline(block.title)}`,
        formatTable(
          block.columns.map(({ name }) => name),
          block.rows,
          { numeric: block.columns.map(({ numeric }) => numeric === true) },
        ),
        block.note !== undefined && escapeInline(block.note),
      ]).join('\n\n');
    case 'chart':
      return `**${escapeInline(block.chart.title)}** (${block.chart.about}). ${escapeInline(chartSummary(block.chart.data, block.chart.unit))}`;
    case 'levels': {
      const { title, lines, categories, unit } = block.chart;
      const items = lines.flatMap(({ name, values }) =>
        values.flatMap((value, index) =>
          value === null ? [] : [`${name}, ${categories[index] ?? ''}: ${formatValue(value.median, unit)}`],
        ),
      );
      return `**${escapeInline(title)}**\n\n${listText(items)}`;
    }
    case 'bars':
      return `**${escapeInline(block.title)}**\n\n${listText(block.bars.map(({ name, text }) => `${name}: ${text}`))}`;
    case 'percentiles':
    case 'heatmap':
      return `**${escapeInline(block.title)}** (${block.about}). ${escapeInline(block.summary)}`;
    case 'film':
      return `**${escapeInline(block.title)}**\n\n${listText(block.strips.map(({ name, pictures }) => `${name}: ${countOf(pictures.length, 'picture')}`))}`;
    case 'finding':
      return findingText(block);
    case 'code':
      return `### ${escapeInline(block.title)}\n\n${fenceCode(block.text)}`;
    default:
      return block satisfies never;
  }
}

function verdictText(block: BlockOf<'verdict'>): string {
  const rest = formatAfterOutcome(block);
  return `**${block.title}**${rest.startsWith(' ') ? ' ' : ''}${escapeInline(rest)}`;
}

function findingText({ number, finding }: BlockOf<'finding'>): string {
  const { sentence, remedy } = finding;
  const { title, rest } = findingParts(finding);
  return [`### ${number}. ${escapeInline(sentence)}`, `${title}${rest}`, listText(evidenceLines(finding)), escapeInline(remedy)]
    .filter((part) => part !== '')
    .join('\n\n');
}

function listText(items: readonly string[]): string {
  return items.map((item) => `- ${escapeInline(item)}`).join('\n');
}

/** Formats a table of GitHub Markdown. `escape` makes a cell safe for one line. */
export function formatTable(
  head: readonly string[],
  rows: readonly (readonly Cell[])[],
  { numeric = [], escape = escapeCell }: { readonly numeric?: readonly boolean[]; readonly escape?: (text: string) => string } = {},
): string {
  const line = (cells: readonly Cell[]): string => `| ${cells.map((cell) => escape(cellText(cell))).join(' | ')} |`;
  const rule = `| ${head.map((_, index) => (numeric[index] === true ? '---:' : '---')).join(' | ')} |`;
  return [line(head), rule, ...rows.map(line)].join('\n');
}

function escapeCell(text: string): string {
  return escapeInline(text).replaceAll('|', String.raw`\|`);
}

/** Escapes text for one line, because names are foreign and must not become markup or end a table row. Numbers keep their units. */
export function escapeInline(text: string): string {
  return visibleText(bindUnits(text.replaceAll(/\s+/g, ' ')))
    .replaceAll(/[\\`*_[\]<>#]/g, String.raw`\$&`)
    .trim();
}

/** Puts text into a fence that is longer than any fence in the text. */
function fenceCode(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(Math.max(3, longest + 1));
  return `${fence}\n${visibleText(text.trimEnd())}\n${fence}`;
}
