import { parseTemplate } from './template.ts';
import type { Plan, Step } from './schema/plan.ts';

/** The address of another server that a step names; null where its path leads to the target. Only what stands there literally counts. */
export function sideUrlOf({ path, measured }: Pick<Step, 'path' | 'measured'>): string | null {
  if (measured !== false) return null;
  const [first] = parseTemplate(path);
  if (typeof first !== 'string' || !isAbsolute(first)) return null;
  const isWhole = parseTemplate(path).length === 1;
  // The host has to end before the first placeholder does anything to it.
  const written = /^https?:\/\/[^/?#\s\\@]+(?=[/?#]|$)/i.exec(first)?.[0];
  if (written === undefined || (!isWhole && written.length === first.length) || !URL.canParse(written)) return null;
  return `${new URL(written).origin}/`;
}

export function isAbsolute(path: string): boolean {
  return /^https?:/i.test(path);
}

/** Servers beside the targets that side calls go to, as `URL`s, each once. */
export function sideServers({ journey }: Pick<Plan, 'journey'>): URL[] {
  return [...new Set(journey.flatMap((step) => sideUrlOf(step) ?? []))].map((url) => new URL(url));
}

/** Whether `sideHosts` names a server: by its host alone or with its port. */
export function isNamed({ sideHosts }: Pick<Plan, 'sideHosts'>, { hostname, host }: URL): boolean {
  return (sideHosts ?? []).some((written) => [hostname, host].includes(written.toLowerCase()));
}
