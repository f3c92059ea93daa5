import { Parser } from 'htmlparser2';
import type { RUN_FORMATS } from '#contract/replies.ts';
import { TERMINAL_HARM } from '#core/testing/hostileStrings.ts';

type Format = (typeof RUN_FORMATS)[number];

const MAX_REPORTED = 60;

/** Returns, as sentences, what could harm the reader of a saved result. */
export function findHarm(format: Format, content: string): string[] {
  switch (format) {
    case 'html':
    case 'sealed':
      return scriptsIn(content);
    case 'csv':
    case 'steps':
    case 'people':
    case 'jmeter':
    case 'cycles':
      return [...formulasIn(content), ...controlsIn(format, content)].map((harm) => `${format}: ${harm}`);
    case 'junit':
      return [...badCharactersIn(content), ...controlsIn(format, content)].map((harm) => `junit: ${harm}`);
    case 'json':
      return isJson(content) ? [] : ['json: it cannot be parsed'];
    case 'text':
    case 'summary':
    case 'markdown':
    case 'ab':
      return controlsIn(format, content).map((harm) => `${format}: ${harm}`);
    case 'hlog':
      return [];
    default:
      return format satisfies never;
  }
}

/** Returns the elements and attributes that would run if there were no content security policy. */
function scriptsIn(html: string): string[] {
  const found: string[] = [];
  let isInScript = false;
  const parser = new Parser({
    onopentag(name, attributes) {
      const handlers = Object.keys(attributes).filter((attribute) => attribute.startsWith('on'));
      if (handlers.length > 0) found.push(`html: <${name} ${handlers.join(' ')}>`);
      if (/^\s*javascript:/i.test(attributes['href'] ?? attributes['src'] ?? '')) found.push(`html: <${name}> leads to a script`);
    },
    ontext(text) {
      if (text.includes('hostileRan') && isInScript) found.push('html: a script of the server');
    },
    onopentagname(name) {
      isInScript = name === 'script';
    },
    onclosetag() {
      isInScript = false;
    },
  });
  parser.write(html);
  parser.end();
  return found;
}

function formulasIn(csv: string): string[] {
  const cells = csv.split(/[\n,]/).map((cell) => cell.replace(/^"/, ''));
  const cellWithFormula = cells.find((cell) => /^[=@]|^[+-](?![\d.])/.test(cell));
  return cellWithFormula === undefined ? [] : [`a formula: ${cellWithFormula.slice(0, MAX_REPORTED)}`];
}

function controlsIn(_format: Format, text: string): string[] {
  const at = text.replaceAll('\r\n', '\n').search(TERMINAL_HARM);
  return at < 0 ? [] : [`a control or turning mark: ${JSON.stringify(text.slice(Math.max(0, at - 20), at + 20))}`];
}

/** Returns the characters that XML 1.0 does not allow, not even if they are escaped. */
function badCharactersIn(xml: string): string[] {
  return /(?![\n\t\r])[\p{Cc}\p{Cs}\uFFFE\uFFFF]/u.test(xml.replaceAll(/[\u007f-\u009f]/g, ''))
    ? ['a character that XML does not know']
    : [];
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
