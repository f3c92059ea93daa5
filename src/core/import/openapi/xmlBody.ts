import { isBlock } from '#core/base/json.ts';
import { entriesAt, textAt, valueAtPath } from '../reading.ts';
import { resolveReference } from './example.ts';

const MAX_DEPTH = 30;
const NAME_PATTERN = /^[A-Za-z_][\w.-]{0,100}$/;

/**
 * Returns an example as XML, with the names that its schema gives (OpenAPI 3.0.4, “XML Object”): `name`, `attribute` and `wrapped`. The
 * root is named after the schema, or after its reference. Namespaces are left out.
 */
export function writeXmlExample(document: unknown, schema: unknown, example: unknown): string {
  const reference = textAt(schema, '$ref')?.split('/').at(-1) ?? '';
  const root = textAt(resolveReference(document, schema), 'xml', 'name') ?? reference;
  return `<?xml version="1.0" encoding="UTF-8"?>${writeElement(document, schema, NAME_PATTERN.test(root) ? root : 'root', example, 0)}`;
}

function writeElement(document: unknown, given: unknown, name: string, value: unknown, depth: number): string {
  if (depth > MAX_DEPTH) return '';
  const schema = resolveReference(document, given);
  if (Array.isArray(value)) return writeList(document, schema, name, value, depth);
  if (!isBlock(value)) return `<${name}>${escapeXml(value)}</${name}>`;
  const attributes: string[] = [];
  const children: string[] = [];
  for (const [key, member] of entriesAt(value)) {
    const property = valueAtPath(schema, 'properties', key);
    const xml = valueAtPath(resolveReference(document, property), 'xml');
    const memberName = textAt(xml, 'name') ?? key;
    if (!NAME_PATTERN.test(memberName)) continue;
    if (valueAtPath(xml, 'attribute') === true) attributes.push(` ${memberName}="${escapeXml(member)}"`);
    else children.push(writeElement(document, property, memberName, member, depth + 1));
  }
  return `<${name}${attributes.join('')}>${children.join('')}</${name}>`;
}

/** Writes a list as repeated elements, within an element of its own if it is `wrapped`. */
function writeList(document: unknown, schema: unknown, name: string, items: readonly unknown[], depth: number): string {
  const itemSchema = valueAtPath(schema, 'items');
  const itemName = textAt(resolveReference(document, itemSchema), 'xml', 'name') ?? name;
  const written = items.map((item) => writeElement(document, itemSchema, NAME_PATTERN.test(itemName) ? itemName : 'item', item, depth + 1));
  return valueAtPath(schema, 'xml', 'wrapped') === true ? `<${name}>${written.join('')}</${name}>` : written.join('');
}

function escapeXml(value: unknown): string {
  return (typeof value === 'string' ? value : JSON.stringify(value ?? ''))
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
