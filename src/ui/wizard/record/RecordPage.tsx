import { Footprints } from 'lucide-react';
import { useState } from 'react';
import { singleAsking } from '#core/review/asks/ask.ts';
import { useAction, useCall, useStream } from '#ui/app/backend.ts';
import { useAddress } from '#ui/app/quick/address.ts';
import { useConsent } from '#ui/app/quick/consent.tsx';
import { StartRow } from '#ui/app/quick/StartRow.tsx';
import { Card } from '#ui/components/Card.tsx';
import { Checkbox } from '#ui/components/Checkbox.tsx';
import { Disclosure } from '#ui/components/Disclosure.tsx';
import { TextField } from '#ui/components/Field.tsx';
import { Page, Stack } from '#ui/components/Page.tsx';
import { ProblemBanner } from '#ui/components/ProblemBanner.tsx';
import { words } from '#ui/words/words.ts';
import { LiveRecording } from './LiveRecording.tsx';
import { MadePlan } from './MadePlan.tsx';

const texts = words.recording;

/** A walk in a browser, from its address to its plan. There is one recording at a time: a page that is opened again shows the one that goes. */
export function RecordPage() {
  const watched = useStream('recordings.watch', {});
  const recording = watched.value?.recording ?? null;
  const isGoing = recording !== null && (recording.state === 'recording' || recording.state === 'paused');
  return (
    <Page title={texts.title} story={texts.story}>
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
  const start = useAction('recordings.start');
  const verify = !accepts;
  const consent = useConsent(
    address.url === null ? null : singleAsking({ target: { url: address.url, headers: {} }, tls: { verify }, connections: {} }),
  );
  const press = (): void => {
    address.complain();
    if (address.url !== null && consent.isGiven) start.mutate({ url: address.url, verify, agreed: consent.agreed });
  };
  return (
    <Card>
      <Stack gap={12}>
        <TextField {...address.field} label={texts.address} help={texts.addressHelp} onEnter={press} />
        {consent.boxes}
        <Disclosure level={2} title={words.quick.more}>
          <Checkbox isSelected={accepts} onChange={setAccepts}>
            {texts.insecure}
          </Checkbox>
        </Disclosure>
        <WhereItOpens />
        {isOpening ? <output>{texts.states.opening}</output> : null}
        {start.error !== null && start.error.code !== 'AGREEMENT_NEEDED' ? <ProblemBanner problem={start.error} /> : null}
        <StartRow
          label={texts.start}
          icon={<Footprints />}
          isDisabled={address.url !== null && !consent.isGiven}
          start={{ error: start.error?.code === 'AGREEMENT_NEEDED' ? start.error : null, isPending: start.isPending }}
          onPress={press}
        />
      </Stack>
    </Card>
  );
}

/** Whoever looks at the page from another computer looks there for the window in vain. */
function WhereItOpens() {
  const isDesktop = window.holdfast !== undefined;
  const info = useCall('app.info', {}, { enabled: !isDesktop });
  return isDesktop ? null : <p>{texts.where(info.data?.hostname ?? texts.here)}</p>;
}
