import { makeWire } from '#core/testing/hostileStrings.ts';
import type { Draw } from './draw.ts';

export interface Body {
  readonly type: string;
  /** The body, with one character per byte. */
  readonly wire: string;
}

/** Returns a body for a path. Usually the body is of the kind that the path suggests, otherwise it is of any kind. */
export function bodyAt(path: string, draw: Draw): Body {
  if (draw.chance(0.05)) return anyBody(draw);
  const [, first = ''] = /^\/([a-z]*)/.exec(path) ?? [];
  switch (first) {
    case 'page':
    case 'login':
      return html(draw);
    case 'json':
      return json(draw);
    case 'style':
      return css(draw);
    case 'sitemap':
      return sitemap(draw);
    case 'count':
      return { type: 'application/json', wire: draw.pick(['1', '1e999', '-1', 'null', '"12"', '{"n":1}', `${draw.integer(0, 1e9)}`]) };
    case 'metrics':
      return { type: 'text/plain; version=0.0.4', wire: metrics(draw) };
    case 'nginx':
      return { type: 'text/plain', wire: nginx(draw) };
    case 'haproxy':
      return { type: 'text/plain', wire: haproxy(draw) };
    default:
      return anyBody(draw);
  }
}

function anyBody(draw: Draw): Body {
  return draw.pick([html, json, css, sitemap, plainBody, plainBody, plainBody])(draw);
}

function plainBody(draw: Draw): Body {
  return {
    type: draw.pick(['text/plain', 'text/html; charset=__proto__', `text/${draw.field(100)}`, 'application/octet-stream']),
    wire: draw.longText(),
  };
}

function html(draw: Draw): Body {
  const drawLink = (): string =>
    draw.pick([
      `/r/${draw.uniqueText()}`,
      `//${draw.uniqueText()}.test/x`,
      `?${draw.uniqueText()}`,
      draw.text(),
      `/calm/page?${draw.uniqueText()}`,
    ]);
  const isLong = draw.chance(0.01);
  const links = isLong || draw.chance(0.02) ? 600 : draw.integer(0, 6);
  const linked = Array.from({ length: links }, () =>
    draw.pick([
      `<a href="${drawLink()}">${draw.text()}</a>`,
      `<link rel=stylesheet href="${drawLink()}">`,
      `<img src="${drawLink()}" srcset="${draw.text()} 1x, ${drawLink()} 2x">`,
      `<script src="${drawLink()}"></script>`,
    ]),
  );
  // With a long base address, every address on the page becomes as long.
  const base = isLong ? `<base href="/${'b'.repeat(draw.pick([10, 10_000, 300_000]))}/">` : '';
  const nested = draw.chance(0.005) ? '<div>'.repeat(30_000) : '';
  const form = `<form action="${drawLink()}" method="${draw.pick(['post', 'get', 'dialog', draw.text()])}"><input name="${draw.text()}" value="${draw.text()}"><input type="hidden" name="csrf" value="${draw.text()}"><input type="password" name="pass"></form>`;
  return {
    type: draw.pick(['text/html', 'text/html; charset=utf-8', 'application/xhtml+xml', 'text/html; charset=utf-16']),
    wire: `<!doctype html>${base}<title>${draw.longText()}</title><meta charset="${draw.text()}">${nested}${linked.join('\n')}${form}<p id="token">${draw.longText()}</p>${draw.text()}`,
  };
}

function json(draw: Draw): Body {
  const value = (): string => draw.pick(JSON_VALUES)(draw);
  const members = Array.from({ length: draw.integer(0, 5) }, () => `${quoteJson(draw.text())}:${value()}`);
  const items = draw.chance(0.005) ? Array<string>(20_000).fill(value()) : Array.from({ length: draw.integer(0, 4) }, value);
  const deep = draw.chance(0.005) ? `,"deep":${DEEP_ARRAY}` : '';
  const token = draw.chance(0.02) ? quoteJson(draw.longText()) : value();
  const rest = members.map((member) => `,${member}`).join('');
  return { type: 'application/json', wire: `{"token":${token},"items":[${items.map((id) => `{"id":${id}}`).join(',')}]${deep}${rest}}` };
}

const DEEP_ARRAY = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
const JSON_VALUES = [
  (draw: Draw): string => quoteJson(draw.text()),
  (draw: Draw): string => quoteJson(draw.uniqueText()),
  (): string => '1e999',
  (): string => '9'.repeat(500),
  (): string => 'null',
  (): string => '{"__proto__":{"hostile":1},"constructor":{"prototype":{"hostile":1}}}',
  (): string => '[]',
] as const;

/** Quotes a text as JSON. Invalid UTF-8 stays invalid. */
function quoteJson(wire: string): string {
  return `"${wire.replaceAll(/[\\"]/g, String.raw`\$&`).replaceAll(CONTROLS, (control) => `\\u${(control.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`)}"`;
}

/** Characters that JSON strings must escape. */
const CONTROLS = /[^ -\uffff]/g;

function css(draw: Draw): Body {
  return { type: 'text/css', wire: `@import "${draw.text()}";a{background:url("${draw.text()}");content:"${draw.longText()}"}` };
}

function sitemap(draw: Draw): Body {
  const urls = Array.from({ length: draw.integer(0, 20) }, () => `<url><loc>${draw.text()}</loc></url>`);
  return {
    type: 'application/xml',
    wire: `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "${draw.text()}"><!ENTITY b "&a;&a;&a;&a;">]><urlset>${urls.join('')}<x>&b;</x></urlset>`,
  };
}

/** Returns the page of an exporter: the requested metrics among unexpected names and labels. */
function metrics(draw: Draw): string {
  const many = draw.chance(0.02) ? 50_000 : draw.integer(1, 30);
  const label = (): string => draw.text().replaceAll(/[\\"\n]/g, '');
  const others = Array.from({ length: many }, () =>
    draw.pick([
      `${draw.pick(['__proto__', 'constructor', 'hostile_total'])}{path="${label()}",${draw.pick(['__proto__', 'constructor'])}="${draw.uniqueText()}"} ${draw.pick(['1', 'NaN', '+Inf', '-1e308', '9'.repeat(400)])}`,
      `# HELP ${draw.text()} ${draw.text()}`,
      `# TYPE __proto__ ${draw.text()}`,
      draw.text(),
    ]),
  );
  return `hostile_total{path="/"} ${draw.integer(0, 1e6)}\nhostile_gauge ${draw.pick(['1', 'NaN', '-Inf', '1e308'])}\n${others.join('\n')}\n`;
}

function nginx(draw: Draw): string {
  const drawCount = (): string =>
    draw.chance(0.98)
      ? `${draw.integer(0, 1e9)}`
      : draw.pick(['1', '-1', '9'.repeat(400), '1e999', `${draw.integer(0, 1e9)}`, draw.text()]);
  return `Active connections: ${drawCount()} \nserver accepts handled requests\n ${drawCount()} ${drawCount()} ${drawCount()} \nReading: ${drawCount()} Writing: ${drawCount()} Waiting: ${drawCount()} \n`;
}

function haproxy(draw: Draw): string {
  const names = ['pxname', 'svname', 'qcur', 'scur', 'slim', 'stot', 'bin', 'bout', 'type', '__proto__', 'constructor', 'status'];
  const rows = Array.from({ length: draw.chance(0.02) ? 20_000 : draw.integer(1, 10) }, () =>
    names
      .map(() => draw.pick(['1', '0', '-1', '9'.repeat(100), draw.text().replaceAll(/[\n,]/g, ''), '__proto__', 'FRONTEND', 'BACKEND']))
      .join(','),
  );
  return `# ${names.join(',')}\n${rows.join('\n')}\n`;
}

/** Returns a Redis reply to INFO or another command. */
export function redisReply(command: string, draw: Draw): string {
  if (draw.chance(0.1))
    return draw.pick([
      `-ERR ${draw.longText().replaceAll(/[\r\n]/g, '')}\r\n`,
      '$-1\r\n',
      '$NaN\r\n',
      ':1\r\n',
      '$99999999999\r\nx',
      `+${makeWire('\u001b[2J')}\r\n`,
    ]);
  if (!/INFO/i.test(command)) return '+OK\r\n';
  const fields = ['uptime_in_seconds:5', 'connected_clients:1', 'used_memory:1', 'total_commands_processed:1', 'maxclients:9'].map(
    (field) => (draw.chance(0.05) ? `${field.split(':')[0] ?? ''}:${draw.text().replaceAll(/[\r\n]/g, '')}` : field),
  );
  const others = Array.from(
    { length: draw.chance(0.02) ? 20_000 : draw.integer(0, 10) },
    () => `${draw.text().replaceAll(/[\r\n:]/g, '')}:${draw.uniqueText()}`,
  );
  const info = [...fields, '__proto__:1', 'constructor:2', ...others].join('\r\n');
  return `$${info.length}\r\n${info}\r\n`;
}
