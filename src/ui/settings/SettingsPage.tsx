import type { ReactNode } from 'react';
import { systemName } from '#core/base/text.ts';
import { formatCount } from '#core/base/units.ts';
import type { AppInfo } from '#contract/replies.ts';
import { useCall } from '#ui/shared/backend.ts';
import { THEMES } from '#ui/shared/theme.ts';
import { Card } from '#ui/components/Page.tsx';
import { CopyButton } from '../components/Button.tsx';
import { Page, Stack } from '../components/Page.tsx';
import { ProblemBanner } from '#ui/components/Banner.tsx';
import { RadioCards } from '#ui/components/Choices.tsx';
import { Block, Skeleton } from '#ui/components/Placeholders.tsx';
import { words } from '../words/words.ts';
import { SelfTestCard } from './selftest/SelfTestCard.tsx';
import { useTheme } from './useTheme.ts';
import styles from './SettingsPage.module.css';

export function SettingsPage() {
  const [theme, setTheme] = useTheme();
  const info = useCall('app.info', {});
  const say = words.settings;
  return (
    <Page title={say.title} story={say.story}>
      <Stack gap={16}>
        <Card title={say.theme}>
          <RadioCards
            label={say.theme}
            hideLabel
            layout="row"
            value={theme}
            onChange={(value) => {
              const chosen = THEMES.find((each) => each === value);
              if (chosen) setTheme(chosen);
            }}
            cards={THEMES.map((each) => ({ value: each, name: say.themes[each], content: say.themes[each] }))}
          />
        </Card>
        <SelfTestCard />
        {info.error ? <ProblemBanner problem={info.error} onRetry={() => void info.refetch()} /> : null}
        {info.isPending ? (
          <Skeleton waitingFor={say.loading}>
            <Block height={160} />
            <Block height={160} />
          </Skeleton>
        ) : null}
        {info.data ? <Facts info={info.data} /> : null}
      </Stack>
    </Page>
  );
}

function Facts({ info }: { readonly info: AppInfo }) {
  const say = words.settings;
  return (
    <>
      <Card title={say.storage}>
        <dl className={styles.facts}>
          <Path name={say.dataDirectory} path={info.dataDirectory} help={info.notice ?? say.dataHelp} />
          <Path name={say.logFile} path={info.logFile} help={say.logHelp} />
        </dl>
      </Card>
      <Card title={say.versions}>
        <dl className={styles.facts}>
          <Fact name={say.holdfast}>{info.version}</Fact>
          <Fact name={say.node}>{info.nodeVersion}</Fact>
          <Fact name={say.platform}>{systemName(info.platform)}</Fact>
          <Fact name={say.host}>
            {info.hostname} · {say.cores(formatCount(info.cores))}
          </Fact>
        </dl>
      </Card>
    </>
  );
}

function Path({ name, path, help }: { readonly name: string; readonly path: string; readonly help: string }) {
  return (
    <Fact name={name}>
      <span className={styles.path}>
        <code>{path}</code>
        <CopyButton iconOnly text={path} label={`${words.common.copy}: ${name}`} />
      </span>
      <span className={styles.help}>{help}</span>
    </Fact>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className={styles.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
