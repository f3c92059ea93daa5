import { readAddress, type Address } from '../address.ts';
import type { Draft } from '../draft.ts';
import { at, textAt } from '../reading.ts';

const STAND_IN = 'localhost';

/** The server of a script. What only its environment knows has a name in its place; null for what is no address of http or https. */
export function targetOf(draft: Draft, config: unknown): Address | null {
  const written = textAt(config, 'target');
  if (written === null) return null;
  const unknown: string[] = [];
  const filled = written
    .trim()
    .slice(0, 2_048)
    .replaceAll(/\{{2,3}([^{}]{0,200})\}{2,3}/g, (_whole, expression: string, offset: number) => {
      const name = expression.trim();
      const variable = at(config, 'variables', name);
      const value = Array.isArray(variable) && variable.length === 1 ? textAt(variable, 0) : textAt(config, 'variables', name);
      if (value !== null) return value;
      unknown.push(name);
      return offset === 0 ? `http://${STAND_IN}` : STAND_IN;
    });
  const address = readAddress(filled);
  if (address !== null && unknown.length > 0)
    draft.assumed(
      'config.target',
      `The address is given from outside the script, by ${unknown.join(', ').slice(0, 120)}.`,
      `http://${STAND_IN} stands in for it. Write your server as the plan’s target.`,
    );
  return address;
}
