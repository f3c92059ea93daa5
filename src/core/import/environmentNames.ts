import { valueName } from './placeholders.ts';

const BEGIN = 'HOLDFAST_';

/** The variable of the environment that an imported plan reads a value from. */
export function environmentName(name: string): string {
  return `${BEGIN}${name.replaceAll('-', '_').toUpperCase()}`;
}

/** The same for a secret by its label, numbered where that of another secret is called so. `taken`: the secrets so far. */
export function secretName(label: string, value: string, taken: ReadonlyMap<string, string>): string {
  const wanted = environmentName(valueName(label, 'SECRET'));
  let name = wanted;
  for (let number = 2; (taken.get(name) ?? value) !== value; number += 1) name = `${wanted}_${number}`;
  return name;
}

/** What a variable of a plan is called that has its value from there. */
export function variableName(environment: string): string {
  return environment.slice(BEGIN.length).toLowerCase();
}
