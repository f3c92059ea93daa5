import { Footprints } from 'lucide-react';
import { useState } from 'react';
import { MAX_DRAWN, MIN_DRAWN_LENGTH } from '#core/import/recording/drawnTexts.ts';
import { recordingAsking } from '#core/review/asks/ask.ts';
import { useAction, useCall, useStream } from '#ui/shared/backend.ts';
import { useAddress, useConsent, StartRow } from '#ui/shared/quickStart.tsx';
import { Card, Page, Stack } from '#ui/components/Page.tsx';
import { Checkbox } from '#ui/components/Checkbox.tsx';
import { Disclosure } from '#ui/components/Disclosure.tsx';
import { TextField } from '#ui/components/Field.tsx';
import { ProblemBanner } from '#ui/components/Banner.tsx';
import { words } from '#ui/words/words.ts';
import { FileField } from '../FileField.tsx';
import { LiveRecording } from './LiveRecording.tsx';
import { MadePlan } from './MadePlan.tsx';

const recordingWords = words.recording;

/**
 * Page that records a journey in a browser and creates a plan from it. There is only one recording at a time; the page shows it again when
 * the page is reopened.
 */
export function RecordPage() {
  const watchedStreamState = useStream('recordings.watch', {});
  const recording = watchedStreamState.value?.recording ?? null;
  const isGoing = recording !== null && (recording.state === 'recording' || recording.state === 'paused');
  return (
    <Page title={recordingWords.title} story={recordingWords.story}>
      {isGoing ? (
        <LiveRecording recording={recording} />
      ) : recording?.state === 'ended' ? (
        <MadePlan recording={recording} />
      ) : (
        <RecordForm isOpening={recording?.state === 'opening'} />
      )}
    </Page>
  );
}

function RecordForm({ isOpening }: { readonly isOpening: boolean }) {
  const address = useAddress();
  const [accepts, setAccepts] = useState(false);
  const [accounts, setAccounts] = useState('');
  const [isOnce, setOnce] = useState(false);
  const [texts, setTexts] = useState('');
  const start = useAction('recordings.start');
  const wanted = { verify: !accepts, ...(accounts.trim() === '' ? {} : { accountsFile: accounts.trim() }) };
  const once = accounts.trim() !== '' && isOnce;
  const unique = linesOf(texts);
  const wrong = unique.length > MAX_DRAWN || unique.some((text) => text.length < MIN_DRAWN_LENGTH);
  const consent = useConsent(address.url === null ? null : recordingAsking({ url: address.url, ...wanted }));
  const startRecording = (): void => {
    address.complain();
    if (address.url !== null && consent.isGiven && !wrong)
      start.mutate({ url: address.url, ...wanted, accountsOnce: once, unique: [...unique], agreed: consent.agreed });
  };
  return (
    <Card>
      <Stack gap={12}>
        <TextField {...address.field} label={recordingWords.address} help={recordingWords.addressHelp} onEnter={startRecording} />
        {consent.boxes}
        <Disclosure level={2} title={words.quick.more}>
          <Stack gap={12}>
            <FileField
              label={recordingWords.accounts}
              help={recordingWords.accountsHelp}
              value={accounts}
              onChange={(path) => {
                setAccounts(path);
                // Clears the error about the previous file.
                start.reset();
              }}
            />
            {accounts.trim() === '' ? null : (
              <Checkbox isSelected={isOnce} onChange={setOnce}>
                {recordingWords.accountsOnce}
              </Checkbox>
            )}
            <TextField
              label={recordingWords.unique}
              help={recordingWords.uniqueHelp}
              rows={2}
              value={texts}
              onChange={setTexts}
              error={wrong ? recordingWords.uniqueWrong(MIN_DRAWN_LENGTH, MAX_DRAWN) : null}
            />
            <Checkbox isSelected={accepts} onChange={setAccepts}>
              {recordingWords.insecure}
            </Checkbox>
          </Stack>
        </Disclosure>
        <BrowserLocation />
        {isOpening ? <output>{recordingWords.states.opening}</output> : null}
        {start.error !== null && start.error.code !== 'AGREEMENT_NEEDED' ? <ProblemBanner problem={start.error} /> : null}
        <StartRow
          label={recordingWords.start}
          icon={<Footprints />}
          isDisabled={(address.url !== null && !consent.isGiven) || wrong}
          start={{ error: start.error?.code === 'AGREEMENT_NEEDED' ? start.error : null, isPending: start.isPending }}
          onPress={startRecording}
        />
      </Stack>
    </Card>
  );
}

function linesOf(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** States on which computer the browser window opens. That may not be the user's computer. */
function BrowserLocation() {
  const isDesktop = window.holdfast !== undefined;
  const info = useCall('app.info', {}, { enabled: !isDesktop });
  return isDesktop ? null : <p>{recordingWords.where(info.data?.hostname ?? recordingWords.here)}</p>;
}
