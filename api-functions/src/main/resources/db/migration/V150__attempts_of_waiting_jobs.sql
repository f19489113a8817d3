-- A waiting job stands at the attempt that it is to be assigned for: it rises when a job returns to the queue, not when it leaves it.
update farm."printJob" set attempt = attempt + 1 where status = 'Pending';
