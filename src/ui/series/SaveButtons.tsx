import { Download } from 'lucide-react';
import { useState } from 'react';
import { HoldfastError, problemOf, type Problem } from '#core/errors.ts';
import { useConnection } from '../app/backend.ts';
import { notify } from '../app/notices.ts';
import { ReportMenu } from '../app/ReportMenu.tsx';
import { saveText } from '../charts/saveFile.ts';
import { Button } from '../components/Button.tsx';
import { ProblemBanner } from '../components/ProblemBanner.tsx';
import { words } from '../words/words.ts';

const texts = words.series;

export function SaveButtons({ seriesId }: { readonly seriesId: string }) {
  const connection = useConnection();
  const [problem, setProblem] = useState<Problem | null>(null);
  const save = async (format: 'csv' | 'json'): Promise<void> => {
    const { fileName, mediaType, content } = await connection.call('series.export', { seriesId, format });
    const saved = await saveText(fileName, mediaType, content);
    if (saved.outcome === 'failed') throw new HoldfastError({ code: 'NOT_SAVED', message: saved.message, hint: saved.hint });
    if (saved.outcome === 'saved') notify(texts.saved(fileName));
  };
  const press = (format: 'csv' | 'json'): void => {
    setProblem(null);
    save(format).catch((thrown: unknown) => setProblem(problemOf(thrown)));
  };
  return (
    <>
      {problem ? <ProblemBanner problem={problem} /> : null}
      <ReportMenu source={{ seriesId }} />
      <Button icon={<Download />} onPress={() => press('csv')}>
        {texts.save.csv}
      </Button>
      <Button onPress={() => press('json')}>{texts.save.json}</Button>
    </>
  );
}
