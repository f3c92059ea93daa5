import { explainFailure } from '#core/work/samples/text.ts';
import { type Sample, type SampleMessage, serverMessage } from '#core/work/samples/schema.ts';
import { formatBytes, formatMs } from '#core/base/units.ts';
import { Disclosure } from '#ui/components/Disclosure.tsx';
import { SeverityMark } from '#ui/components/Marks.tsx';
import { words } from '#ui/words/words.ts';
import styles from './SampleList.module.css';

const texts = words.samples;

/** Requests with their responses. Failed requests also have the reason. */
export function SampleList({ samples }: { readonly samples: readonly Sample[] }) {
  return (
    <>
      <ol className={styles.samples}>
        {samples.map((sample, index) => (
          // Samples have no id, and their order never changes.
          // eslint-disable-next-line react/no-array-index-key
          <li key={index} className={styles.sample}>
            <SampleView sample={sample} />
          </li>
        ))}
      </ol>
      <p className={styles.quiet}>{texts.masked}</p>
    </>
  );
}

function SampleView({ sample }: { readonly sample: Sample }) {
  const { request, failure, says, serviceMs, captured, sent, received } = sample;
  const explained = failure === null ? null : explainFailure(failure);
  const status = received?.head.split('\n', 1)[0] ?? '';
  const summary = [explained?.message ?? status, ...(serviceMs === null ? [] : [formatMs(serviceMs)])].join(' · ');
  return (
    <Disclosure
      level={3}
      summary={summary}
      title={
        <span className={styles.title}>
          <SeverityMark level={explained === null ? 'ok' : 'problem'} />
          {request}
        </span>
      }
    >
      <div className={styles.content}>
        {says === undefined ? null : <p>{serverMessage(says)}</p>}
        {explained === null ? null : <p>{explained.hint}</p>}
        {captured.length === 0 ? null : (
          <div>
            <h4>{texts.captured}</h4>
            <dl className={styles.captured}>
              {captured.map(({ name, value }) => (
                <div key={name} style={{ display: 'contents' }}>
                  <dt>{`{{${name}}}`}</dt>
                  <dd>{value}</dd>
                </div>
              ))}
            </dl>
          </div>
        )}
        <Message title={texts.sent} message={sent} none={texts.nothingSent} />
        <Message title={texts.received} message={received} none={texts.nothingReceived} />
      </div>
    </Disclosure>
  );
}

function Message({ title, message, none }: { readonly title: string; readonly message: SampleMessage | null; readonly none: string }) {
  return (
    <div>
      <h4>{title}</h4>
      {message === null ? (
        <p className={styles.quiet}>{none}</p>
      ) : (
        <>
          {/* Long messages scroll, so they must be reachable by keyboard. */}
          {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
          <pre className={styles.message} tabIndex={0} aria-label={title}>
            {message.body === '' ? message.head : `${message.head}\n\n${message.body}`}
          </pre>
          <BodyExtent message={message} />
        </>
      )}
    </div>
  );
}

function BodyExtent({ message: { body, bodyBytes, isCut } }: { readonly message: SampleMessage }) {
  if (bodyBytes > 0 && body === '') return <p className={styles.quiet}>{texts.notText(formatBytes(bodyBytes))}</p>;
  return isCut ? <p className={styles.quiet}>{texts.cut(formatBytes(bodyBytes))}</p> : null;
}
