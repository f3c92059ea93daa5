import type { Plan } from '#core/plan/schema/plan.ts';

/**
 * What is asked for to measure the path to the first target of a plan: the address of its first step that only reads and whose path holds no value that has yet
 * to be made up; else the target's own. null where the target is behind a Unix socket: there is no path.
 */
export function pathUrl({ targets, journey, connections }: Pick<Plan, 'targets' | 'journey' | 'connections'>): string | null {
  const [target] = targets;
  if (target === undefined || connections.socketPath !== undefined) return null;
  for (const { method, path, query } of journey) {
    const values = `${path}${JSON.stringify(query ?? {})}`;
    if (method !== 'GET' || values.includes('{{') || !URL.canParse(path, target.url)) continue;
    const url = new URL(path, target.url);
    if (url.origin !== new URL(target.url).origin) continue;
    const fields = Object.entries(query ?? {}).map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`);
    return fields.length === 0 ? url.href : `${url.href}${url.search === '' ? '?' : '&'}${fields.join('&')}`;
  }
  return target.url;
}
