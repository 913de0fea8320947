# The C types of ``observations.py``, for the kernels that extend its classes.

cdef class Observations:
    cdef int n
    cdef int p
    cdef int[::1] target
    cdef int[::1] output
    cdef unsigned char[::1] verified
    cdef int[::1] root
    cdef int[::1] first
    cdef int[::1] following
    cdef int[::1] symbol
    cdef int[::1] label
    cdef int[::1] ends
    cdef int next(self, int location, int k) noexcept

cdef class GrowingObservations(Observations):
    cdef int[::1] entry
    cdef int[::1] depth
    cdef int nodes
    cdef int[::1] source
    cdef int[::1] start
    cdef int[::1] seen
    cdef int stamp
    cdef int[::1] queue
    cdef int[::1] onward
    cdef int[::1] way
    cdef int observe(self, int location, int k)
    cdef int step_back(self, int here, int size) noexcept
