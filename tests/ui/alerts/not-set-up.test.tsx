import { render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { NotSetUp } from '../../../app/ui/alerts/not-set-up';

test.each(['NOTIFY_URLS', 'SUPABASE_SECRET_KEY'] as const)(
  'says where %s is set, and sends nobody to a file that a viewer may not have',
  (missing) => {
    const { textContent } = render(<NotSetUp missing={missing} />).container;
    expect(textContent).toContain(`Set ${missing} to `);
    expect(textContent).toContain("in airboard's own folder");
    expect(textContent).toContain('airboard --help says where');
    expect(textContent).not.toContain('docs/');
  },
);
