import { isBlock } from '#core/base/json.ts';
import { type ImportResult, refuse } from './imported.ts';
import { listAt } from './reading.ts';
import { hasMembers, type Source } from './source.ts';

/** Why no plan is made of a document that is known; null for any other. */
export function refusalOfDocument(source: Source): ImportResult | null {
  if (hasMembers(source, 'holdfast') || hasMembers(source, 'holdfastPreset'))
    return refuse('ALREADY_A_PLAN', '', 'This is already a Holdfast plan.', 'Run it: holdfast run FILE');
  return isOldPostman(source.value)
    ? refuse(
        'OLD_POSTMAN',
        '',
        'This is a Postman collection v1.',
        'Holdfast reads v2.0 and v2.1. Import it into Postman and export it as v2.1, or convert it with postman-collection-transformer.',
      )
    : null;
}

/** Version 1 of Postman's collections, which it wrote until 2017. */
function isOldPostman(value: unknown): boolean {
  const [first] = listAt(value, 'requests');
  return (
    isBlock(value) &&
    isBlock(first) &&
    Object.hasOwn(first, 'url') &&
    (Object.hasOwn(value, 'order') || Object.hasOwn(first, 'collectionId'))
  );
}
