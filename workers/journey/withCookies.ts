type Layer = Readonly<Record<string, string>>;

/**
 * Header layers with the cookies of a visitor. What a plan gives as a cookie is sent along, unless the server has set one of the same name since.
 */
export function withCookies(layers: readonly Layer[], cookies: string | null): readonly Layer[] {
  if (cookies === null) return layers;
  const given = layers
    .flatMap((layer) => Object.entries(layer).flatMap(([name, value]) => (name.toLowerCase() === 'cookie' ? [value] : [])))
    .at(-1);
  if (given === undefined) return [...layers, { Cookie: cookies }];
  const own = new Set(cookies.split('; ').map(nameOf));
  const kept = given.split(/;\s*/).filter((pair) => pair !== '' && !own.has(nameOf(pair)));
  return [...layers, { Cookie: [...kept, cookies].join('; ') }];
}

function nameOf(pair: string): string {
  return pair.split('=', 1)[0] ?? '';
}
