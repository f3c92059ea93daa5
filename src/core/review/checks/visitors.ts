import { error, type Issue } from '#core/plan/issues.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { namesIn } from '#core/plan/secrets.ts';
import { readValueName } from '#core/plan/valueNames.ts';

/** Checks that values of visitors come from variables and feeds, which are known before the first request. */
export function checkVisitors({ watchPages = [], variables = {}, feeds = {} }: Plan): Issue[] {
  const isKnown = (name: string): boolean => Object.hasOwn(variables, name) || Object.hasOwn(feeds, readValueName(name).owner ?? '');
  return watchPages.flatMap(({ steps = [] }, place) =>
    steps.flatMap(({ fill = {} }, index) =>
      Object.entries(fill).flatMap(([field, text]) =>
        namesIn(text).flatMap((name) =>
          isKnown(name)
            ? []
            : [
                error(
                  'UNDEFINED_VALUE',
                  `watchPages[${place}].steps[${index}].fill.${field}`,
                  `“{{${name}}}” has no value.`,
                  'What a visitor enters comes from variables and feeds ({{feed.column}}).',
                ),
              ],
        ),
      ),
    ),
  );
}
