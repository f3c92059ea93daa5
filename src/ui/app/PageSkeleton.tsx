import { Page, Stack } from '../components/Page.tsx';
import { Block, Skeleton } from '../components/Skeleton.tsx';
import { words } from '../words/words.ts';

interface PageSkeletonProps {
  readonly title?: string;
  readonly waitingFor?: string;
}

/** A page of which nothing is known yet: its code is on the way, or what it is to show. */
export function PageSkeleton({ title = words.common.product, waitingFor = words.app.page }: PageSkeletonProps) {
  return (
    <Page title={title}>
      <Skeleton waitingFor={waitingFor}>
        <Stack>
          <Block height={96} />
          <Block height={280} />
        </Stack>
      </Skeleton>
    </Page>
  );
}
