import { useQuery } from '@tanstack/react-query';
import { FileCheck } from 'lucide-react';
import { HoldfastError, toProblem } from '#core/base/errors.ts';
import { MAX_SEALED_BYTES, type SealCheck } from '#core/presentation/document/sealCheck.ts';
import { describeSealCheck, NOT_PROVED, NOT_PROVED_TITLE } from '#core/presentation/document/sealCheckText.ts';
import { Banner, ProblemBanner } from '#ui/components/Banner.tsx';
import { ChooseFiles } from '#ui/components/ChooseFiles.tsx';
import { Card, Page, Stack } from '#ui/components/Page.tsx';
import { EmptyState, Skeleton } from '#ui/components/Placeholders.tsx';
import { useConnection } from '#ui/shared/backend.ts';
import { giveFiles, useGivenFiles } from '#ui/shared/droppedFiles.ts';
import { laterWords } from '#ui/words/laterWords.ts';

const texts = laterWords.sealed;

/** Page that checks a sealed file, dropped or chosen. */
export function SealedPage() {
  const { id, files } = useGivenFiles();
  const connection = useConnection();
  const [file] = files;
  const { data, error } = useQuery({
    queryKey: ['sealed', id],
    queryFn: async () => (file === undefined ? null : connection.call('sealed.verify', { base64: await readBase64(file) })),
    staleTime: Infinity,
  });
  const choose = (
    <ChooseFiles label={file === undefined ? texts.choose : texts.chooseOther} types={['.html', '.htm']} onChoose={giveFiles} />
  );
  if (file === undefined)
    return (
      <Page title={texts.title}>
        <EmptyState icon={<FileCheck size={32} />} title={texts.drop} action={choose}>
          {texts.story}
        </EmptyState>
      </Page>
    );
  return (
    <Page title={texts.title} story={file.name}>
      <Stack gap={16}>
        {error ? <ProblemBanner problem={toProblem(error)} /> : null}
        {data ? <Check check={data} /> : error ? null : <Skeleton waitingFor={texts.waiting} heights={[120, 160]} />}
        <div>{choose}</div>
      </Stack>
    </Page>
  );
}

function Check({ check }: { readonly check: SealCheck }) {
  const { isGood, title, lines } = describeSealCheck(check);
  return (
    <>
      <Banner tone={isGood ? 'passed' : 'failed'} title={title} announce="alert">
        {lines.map((line) => (
          <p key={line}>{line}</p>
        ))}
      </Banner>
      {check.state === 'intact' ? (
        <Card title={NOT_PROVED_TITLE}>
          <ul>
            {NOT_PROVED.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </Card>
      ) : null}
    </>
  );
}

/** Returns the bytes of a file in Base64. Throws `SEALED_FILE`. */
async function readBase64(file: File): Promise<string> {
  if (file.size > MAX_SEALED_BYTES) throw new HoldfastError({ code: 'SEALED_FILE', message: texts.tooLarge, hint: texts.smaller });
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const reader = new FileReader();
  reader.addEventListener('load', () => resolve(String(reader.result).replace(/^[^,]*,/, '')));
  reader.addEventListener('error', () => reject(new HoldfastError({ code: 'SEALED_FILE', message: texts.unreadable, hint: texts.again })));
  reader.readAsDataURL(file);
  return promise;
}
