import { hasPlaceholders } from '#core/plan/template.ts';
import { queryDecoded } from './decoded.ts';
import type { Draft } from './draft.ts';
import { unliteral } from './literal.ts';
import { isSecretField } from '../plan/secretNames.ts';

/** A path as text of a plan, with placeholders for parameters that are called like secrets. */
export function secretFreePath(draft: Draft, path: string, place: string): string {
  const at = path.indexOf('?');
  if (at < 0) return path;
  const fields = path
    .slice(at + 1)
    .split('&')
    .map((field) => {
      const equals = field.indexOf('=');
      const name = field.slice(0, Math.max(0, equals));
      const value = field.slice(equals + 1);
      if (equals <= 0 || value === '' || !isSecretField(queryDecoded(name)) || hasPlaceholders(value)) return field;
      return `${name}=${draft.secretVariable(queryDecoded(name), queryDecoded(unliteral(value)), place)}`;
    });
  return `${path.slice(0, at)}?${fields.join('&')}`;
}
