// A few words about something, on hover and on focus. Needs the provider in main.tsx.
import * as Radix from '@radix-ui/react-tooltip';
import { use, type ReactNode } from 'react';
import { TopLayer } from './topLayer';
import css from './Tooltip.module.css';

export const TooltipProvider = Radix.Provider;

export function Tooltip({ text, children }: { text: ReactNode; children: ReactNode }) {
  const layer = use(TopLayer);
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      <Radix.Portal container={layer}>
        <Radix.Content className={css.tooltip} sideOffset={6} collisionPadding={8}>
          {text}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
