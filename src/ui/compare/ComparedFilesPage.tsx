import { useQuery } from '@tanstack/react-query';
import { Files } from 'lucide-react';
import { HoldfastError, toProblem } from '#core/base/errors.ts';
import { parseJson } from '#core/base/json.ts';
import { toComparedRun } from '#core/comparison/comparedRun.ts';
import { compareSides } from '#core/comparison/compareSides.ts';
import { sideNames } from '#core/comparison/figureTexts.ts';
import type { Comparison } from '#core/comparison/schema.ts';
import { reducePoints } from '#core/result/pointSeries.ts';
import { type Point, resultSchema, type RunResult } from '#core/result/schema.ts';
import { ProblemBanner } from '#ui/components/Banner.tsx';
import { ChooseFiles } from '#ui/components/ChooseFiles.tsx';
import { Card, Page, Stack } from '#ui/components/Page.tsx';
import { EmptyState, Skeleton } from '#ui/components/Placeholders.tsx';
import { giveFiles, useGivenFiles } from '#ui/shared/droppedFiles.ts';
import { laterWords } from '#ui/words/laterWords.ts';
import { ComparisonFigures, Responses } from './ComparisonParts.tsx';

const texts = laterWords.comparedFiles;
/** Maximum size of a file. The result of an hour takes about 8 MB. */
const MAX_FILE_BYTES = 100_000_000;
const MAX_POINTS = 600;

/** Comparison of results in files, dropped or chosen: each is one side. Stores nothing. */
export function ComparedFilesPage() {
  const { id, files } = useGivenFiles();
  const { data, error } = useQuery({
    queryKey: ['comparedFiles', id],
    queryFn: () => (files.length < 2 ? null : compareFiles(files)),
    staleTime: Infinity,
  });
  const choose = <ChooseFiles label={texts.choose} types={['.json']} allowsMultiple onChoose={giveFiles} />;
  if (files.length < 2)
    return (
      <Page title={laterWords.compare.page}>
        <EmptyState icon={<Files size={32} />} title={texts.drop} action={choose}>
          {texts.story}
        </EmptyState>
      </Page>
    );
  return (
    <Page title={laterWords.compare.page} story={files.map(({ name }) => name).join(', ')}>
      <Stack gap={24}>
        {error ? <ProblemBanner problem={toProblem(error)} /> : null}
        {data ? (
          <>
            <Card title={laterWords.compare.response}>
              <Responses comparison={data.comparison} />
            </Card>
            <ComparisonFigures comparison={data.comparison} points={data.points} />
          </>
        ) : error ? null : (
          <Skeleton waitingFor={laterWords.compare.loading} heights={[96, 200, 280]} />
        )}
        <div>{choose}</div>
      </Stack>
    </Page>
  );
}

interface ComparedFiles {
  readonly comparison: Comparison;
  /** Points of each run, by run id. */
  readonly points: ReadonlyMap<string, readonly Point[]>;
}

/** Compares results in files. Throws `RESULT_FILE` for a file without a result, and for a run that occurs twice. */
async function compareFiles(files: readonly File[]): Promise<ComparedFiles> {
  const results: RunResult[] = [];
  for (const file of files) results.push(await readResult(file));
  const points = new Map(results.map(({ run, windows }) => [run.id, reducePoints(windows, MAX_POINTS)]));
  if (points.size < results.length) throw new HoldfastError({ code: 'RESULT_FILE', message: texts.twice, hint: texts.twiceHint });
  const sides = results.map((result) => ({ name: undefined, runs: [toComparedRun(result)] }));
  const names = sideNames(sides);
  return {
    comparison: compareSides(
      sides.map(({ runs }, index) => ({ name: names[index] ?? '', runs })),
      null,
    ),
    points,
  };
}

async function readResult(file: File): Promise<RunResult> {
  const parsed = file.size > MAX_FILE_BYTES ? null : resultSchema.safeParse(parseJson(await file.text()));
  if (parsed?.success === true) return parsed.data;
  throw new HoldfastError({ code: 'RESULT_FILE', message: texts.noResult(file.name), hint: texts.noResultHint });
}
