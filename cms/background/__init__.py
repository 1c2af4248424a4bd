"""What happens later or by the clock: the outbox, scheduled publications, the worker that runs jobs."""
