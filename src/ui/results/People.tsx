import { memo, useMemo } from 'react';
import { personBlocks, peopleBlocks } from '#core/presentation/document/people.ts';
import type { PeopleResult } from '#core/result/people.ts';
import { capitalize } from '#core/base/text.ts';
import { formatCount } from '#core/base/units.ts';
import { Blocks } from '../components/Blocks.tsx';
import { Card, Stack } from '#ui/components/Page.tsx';
import { Disclosure } from '../components/Disclosure.tsx';
import { words } from '../words/words.ts';

const texts = words.results.people;

/** The ledger of people: what became of them and of their items; folded, each by pseudonym. */
export const People = memo(function People({ people }: { readonly people: PeopleResult }) {
  const outcomes = useMemo(() => peopleBlocks({ people }), [people]);
  const each = useMemo(() => personBlocks({ people }), [people]);
  const { many, total } = people;
  return (
    <Card title={capitalize(many)}>
      <Stack gap={12}>
        <Blocks blocks={outcomes} showTitles={outcomes.length > 1} />
        {each.length === 0 ? null : (
          <Disclosure title={texts.each(people.one)} summary={texts.eachSummary(formatCount(total), many)}>
            <Blocks blocks={each} />
          </Disclosure>
        )}
      </Stack>
    </Card>
  );
});
