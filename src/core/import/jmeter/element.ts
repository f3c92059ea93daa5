import { getOwn } from '#core/base/ownMembers.ts';
import type { XmlElement } from '../xml.ts';

/** An element of a test plan, with the elements below it. */
export interface Element {
  readonly xml: XmlElement;
  readonly kind: string;
  /** The name that a person gave the element. */
  readonly title: string;
  readonly below: readonly Element[];
  readonly isEnabled: boolean;
}

/** Returns the elements of a `hashTree`. JMeter writes the children of an element into a `hashTree` after it. */
export function childElements(hashTree: XmlElement): Element[] {
  const elements: Element[] = [];
  for (const [index, xml] of hashTree.children.entries()) {
    if (xml.name === 'hashTree') continue;
    const next = hashTree.children[index + 1];
    elements.push({
      xml,
      kind: xml.name,
      title: attribute(xml, 'testname') || xml.name,
      below: next?.name === 'hashTree' ? childElements(next) : [],
      isEnabled: attribute(xml, 'enabled') !== 'false',
    });
  }
  return elements;
}

export function attribute(xml: XmlElement, name: string): string {
  return getOwn(xml.attributes, name) ?? '';
}

/** Returns the child whose `name` attribute has this value, whatever its type. */
export function property(xml: XmlElement, name: string): XmlElement | null {
  return xml.children.find((child) => attribute(child, 'name') === name) ?? null;
}

/** Returns the text of a property; empty if it is missing. */
export function textOf(xml: XmlElement, name: string): string {
  return property(xml, name)?.text ?? '';
}

export function isTrue(xml: XmlElement, name: string): boolean {
  return textOf(xml, name).trim() === 'true';
}

/** Returns the number in a text; null for anything else, such as a variable, a function or an empty text. */
export function numberOf(text: string): number | null {
  const trimmed = text.trim();
  return /^-?\d{1,12}(\.\d{1,9})?$/.test(trimmed) ? Number(trimmed) : null;
}

/** Returns the members of the collection at a path of property names; empty if a property is missing. */
export function members(xml: XmlElement, ...path: readonly string[]): readonly XmlElement[] {
  let location: XmlElement | null = xml;
  for (const name of path) location = location === null ? null : property(location, name);
  return location?.children ?? [];
}
