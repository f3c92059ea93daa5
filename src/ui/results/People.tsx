import { Download } from 'lucide-react';
import { memo, useMemo, useState } from 'react';
import { personBlocks, peopleBlocks } from '#core/presentation/document/people.ts';
import type { PeopleResult } from '#core/result/people.ts';
import { type Problem, toProblem } from '#core/base/errors.ts';
import { capitalize } from '#core/base/text.ts';
import { formatCount } from '#core/base/units.ts';
import { useConnection } from '#ui/shared/backend.ts';
import { reportSaved } from '#ui/shared/notices.tsx';
import { saveText } from '../components/saveFile.ts';
import { Blocks } from '../components/Blocks.tsx';
import { Button } from '../components/Button.tsx';
import { ProblemBanner } from '#ui/components/Banner.tsx';
import { Card, Stack } from '#ui/components/Page.tsx';
import { Disclosure } from '../components/Disclosure.tsx';
import { words } from '../words/words.ts';

const texts = words.results.people;

interface PeopleProps {
  readonly runId: string;
  readonly people: PeopleResult;
}

/** Outcomes of the people of a run and of their items. The section is collapsed, and people are shown by pseudonym. */
export const People = memo(function People({ runId, people }: PeopleProps) {
  const outcomes = useMemo(() => peopleBlocks({ people }), [people]);
  const each = useMemo(() => personBlocks({ people }), [people]);
  const { one, many, total } = people;
  return (
    <Card title={capitalize(many)} actions={each.length === 0 ? null : <SavePeople runId={runId} people={people} />}>
      <Stack gap={12}>
        <Blocks blocks={outcomes} showTitles />
        {each.length === 0 ? null : (
          <Disclosure title={texts.each(one)} summary={texts.eachSummary(formatCount(total), many)}>
            <Blocks blocks={each} />
          </Disclosure>
        )}
      </Stack>
    </Card>
  );
});

/** Saves a CSV with one row per person, by pseudonym. */
function SavePeople({ runId, people: { one } }: PeopleProps) {
  const connection = useConnection();
  const [problem, setProblem] = useState<Problem | null>(null);
  const save = async (): Promise<void> => {
    const { fileName, mediaType, content } = await connection.call('runs.export', { runId, format: 'people' });
    reportSaved(await saveText(fileName, mediaType, content), fileName);
  };
  return (
    <>
      {problem === null ? null : <ProblemBanner problem={problem} />}
      <Button
        look="quiet"
        size="small"
        icon={<Download />}
        onPress={() => {
          setProblem(null);
          save().catch((thrown: unknown) => setProblem(toProblem(thrown)));
        }}
      >
        {texts.save(one)}
      </Button>
    </>
  );
}
