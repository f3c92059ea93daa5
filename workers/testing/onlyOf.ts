/**
 * Returns the only element of a list.
 * @throws if the list has no element or several.
 */
export function onlyItem<Item>(list: readonly Item[]): Item {
  const [first] = list;
  if (first === undefined || list.length > 1) throw new Error(`One element was expected, not ${list.length}.`);
  return first;
}
