import { useEffect, useRef, type RefObject } from 'react';

/** Moves the focus to the page's heading when `key` changes, so that keyboard and screen reader follow; not on the first page. */
export function useHeadlineFocus(key: string): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  const before = useRef(key);
  useEffect(() => {
    if (before.current === key) return;
    before.current = key;
    heading.current?.focus();
    window.scrollTo({ top: 0 });
  }, [key]);
  return heading;
}
