import { useEffect, useEffectEvent, useState } from 'react';

/** The value as it was when `key` had last stood still for `delayMs`. The first value counts at once. */
export function useDebounced<T>(value: T, delayMs: number, key: unknown = value): T {
  const [settled, setSettled] = useState({ key, value });
  const settle = useEffectEvent((settledKey: unknown) => setSettled({ key: settledKey, value }));
  useEffect(() => {
    const timer = setTimeout(() => settle(key), delayMs);
    return () => clearTimeout(timer);
  }, [key, delayMs]);
  return settled.value;
}
