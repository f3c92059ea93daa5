import type { SelfTestLimits as Limits } from '#core/measurement/selfTest/report.ts';
import { formatMs, formatRate } from '#core/base/units.ts';
import { Cell, HeadCell, Row, Table } from '#ui/components/Table.tsx';
import { words } from '#ui/words/words.ts';
import styles from './SelfTestCard.module.css';

const say = words.selfTest;

/** How much load this computer can make. */
export function SelfTestLimits({ limits }: { readonly limits: Limits }) {
  const rows: readonly (readonly [string, number | null])[] = [
    [say.requestsPerSecond, limits.requestsPerSecond],
    [say.arrivalsPerSecond(formatMs(limits.lagLimitMs)), limits.arrivalsPerSecond],
    [say.connectionsPerSecond, limits.connectionsPerSecond],
  ];
  return (
    <div>
      <Table caption={say.limits} showCaption>
        <tbody>
          {rows.map(([name, value]) => (
            <Row key={name}>
              <HeadCell scope="row">{name}</HeadCell>
              <Cell numeric>{value === null ? say.notMeasured : formatRate(value)}</Cell>
            </Row>
          ))}
        </tbody>
      </Table>
      <p className={styles.quiet}>{say.limitsStory}</p>
    </div>
  );
}
